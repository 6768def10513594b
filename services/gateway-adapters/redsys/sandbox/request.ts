import { currencies } from '@gp/money';
import type { HttpRequest } from '@gp/http';
import {
  type Account,
  type Accounts,
  type Form,
  FormError,
  parseForm,
  readTextField,
} from '@gp/psp-sandbox/kit';
import { hasTerminal } from './account.ts';
import { Senseless } from './errors.ts';
import { isPacked, isSigned, isVersion, type Version } from './signature.ts';

/** A signed message whose sender is known. Names of parameters are in lower case: senders use both cases. */
export type Message = {
  readonly account: Account;
  readonly version: Version;
  readonly order: string;
  readonly terminal: string;
  readonly parameters: Readonly<Record<string, string>>;
};

const ORDER = /^[0-9]{4}[A-Za-z0-9]{0,8}$/;

/** Parses the three fields, as a form or as JSON, and checks everything a message needs. Throws Senseless. */
export async function readMessage(accounts: Accounts, request: HttpRequest): Promise<Message> {
  const read = fieldReader(request);
  const version = read('Ds_SignatureVersion');
  const packed = read('Ds_MerchantParameters');
  if (!isVersion(version)) throw new Senseless('SIS0429');
  if (!isPacked(version, packed)) throw new Senseless('SIS0430');
  const parameters = unpacked(packed);
  const order = parameters['ds_merchant_order'] ?? '';
  const terminal = String(Number(parameters['ds_merchant_terminal'] ?? NaN));
  if (!ORDER.test(order)) throw new Senseless('SIS0075');
  const account = await accounts.find('gateway_c', parameters['ds_merchant_merchantcode'] ?? '');
  if (account === undefined) throw new Senseless('SIS0026');
  const key = account.secrets['secret_key'] ?? '';
  if (!isSigned(version, key, order, packed, read('Ds_Signature'))) throw new Senseless('SIS0042');
  if (!hasTerminal(terminal)) throw new Senseless('SIS0028');
  return { account, version, order, terminal, parameters };
}

function fieldReader({ rawBody, headers }: HttpRequest): (name: string) => string {
  const text = rawBody.toString('utf8');
  if (!/json/.test(headers['content-type'] ?? '')) {
    const form = readForm(text);
    return (name) => readTextField(form, name) ?? '';
  }
  const fields = parsed(text);
  return (name) => (typeof fields[name] === 'string' ? fields[name] : '');
}

/** Parses a form as a browser sends it; returns an empty one when it is malformed. */
export function readForm(text: string): Form {
  try {
    return parseForm(text);
  } catch (e) {
    if (e instanceof FormError) return {};
    throw e;
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function unpacked(packed: string): Record<string, string> {
  try {
    const bytes = Buffer.from(packed, 'base64');
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new SyntaxError('no object');
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name.toLowerCase(), storable(part)]),
    );
  } catch {
    throw new Senseless('SIS0431');
  }
}

/** Returns a parameter as text; throws for text that no database can store. */
function storable(part: unknown): string {
  const text = typeof part === 'string' ? part : JSON.stringify(part);
  if (text.includes('\0') || !text.isWellFormed()) throw new SyntaxError('text');
  return text;
}

const byNumber: ReadonlyMap<number, string> = new Map(
  currencies.map(({ numeric, code }) => [Number(numeric), code]),
);

export function parseAmount({ parameters }: Message): bigint {
  const text = parameters['ds_merchant_amount'] ?? '';
  if (!/^\d{1,12}$/.test(text) || BigInt(text) === 0n) throw new Senseless('SIS0019');
  return BigInt(text);
}

export function parseCurrency({ parameters }: Message): string {
  const code = byNumber.get(Number(parameters['ds_merchant_currency'] || NaN));
  if (code === undefined) throw new Senseless('SIS0027');
  return code;
}

/** Returns an address to which the bank may redirect; null when none, or no usable one, was given. */
export function parseAddress({ parameters }: Message, name: string): string | null {
  const text = parameters[name] ?? '';
  const url = text.length <= 250 ? URL.parse(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
