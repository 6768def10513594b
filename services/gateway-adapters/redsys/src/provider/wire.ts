import { currencies, type Currency } from '@gp/money';
import type { Payment, PaymentOrder } from '@gp/gateway';
import { parseMadridTime } from '../domain/madrid-time.ts';
import { TYPES } from '../domain/outcome.ts';
import type { OperationView } from '../domain/truth.ts';
import type { Credentials } from './credentials.ts';
import type { SignedFields } from './signature.ts';

export type Parameters = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the form that the payer's browser posts to the bank: a hold of the amount, and the address to return to.
 */
export function buildOrderForm(
  order: PaymentOrder & { attemptId: string; pspReference: string },
  credentials: Credentials,
  addresses: { notify: string; back: string },
): Parameters {
  return {
    ...buildOrderFields(credentials, order.pspReference),
    DS_MERCHANT_TRANSACTIONTYPE: TYPES.preauthorise,
    DS_MERCHANT_AMOUNT: String(order.amountMinor),
    DS_MERCHANT_CURRENCY: order.currency.numeric,
    DS_MERCHANT_MERCHANTURL: addresses.notify,
    DS_MERCHANT_URLOK: addresses.back,
    DS_MERCHANT_URLKO: addresses.back,
    DS_MERCHANT_MERCHANTDATA: encodeMerchantData(order),
    DS_MERCHANT_PRODUCTDESCRIPTION: order.description.slice(0, 125),
    DS_MERCHANT_PAYMETHODS: 'C',
  };
}

/** Returns a confirmation or a cancellation: the same order once more, with another type. */
export function buildOperation(
  { amountMinor, currency }: Payment,
  order: string,
  credentials: Credentials,
  type: string,
): Parameters {
  return {
    ...buildOrderFields(credentials, order),
    DS_MERCHANT_TRANSACTIONTYPE: type,
    DS_MERCHANT_AMOUNT: String(amountMinor),
    DS_MERCHANT_CURRENCY: currency.numeric,
  };
}

export function buildOrderFields({ merchant_code, terminal }: Credentials, order: string): Parameters {
  return {
    DS_MERCHANT_MERCHANTCODE: merchant_code,
    DS_MERCHANT_TERMINAL: terminal,
    DS_MERCHANT_ORDER: order,
  };
}

/** Returns our ids, which notifications send back; plain enough to survive any escaping on the way. */
function encodeMerchantData({
  intentId,
  groupId,
  attemptId,
  mode,
  sandboxFault,
}: PaymentOrder & { attemptId: string }): string {
  return new URLSearchParams({
    payment_intent_id: intentId,
    group_payment_id: groupId,
    attempt_id: attemptId,
    ...(mode === 'test' && sandboxFault !== null && { sandbox_fault: sandboxFault }),
  }).toString();
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns our own reference of the payment from the merchant data that the gateway sent back. */
export function parseAttemptId(merchantData: string): string | null {
  const id = new URLSearchParams(merchantData).get('attempt_id') ?? '';
  return UUID.test(id) ? id : null;
}

/** Returns the three fields of a message; undefined when one is missing. */
export function parseSignedFields(read: (name: keyof SignedFields) => unknown): SignedFields | undefined {
  const [version, packed, signature] = [
    read('Ds_SignatureVersion'),
    read('Ds_MerchantParameters'),
    read('Ds_Signature'),
  ];
  if (typeof version !== 'string' || typeof packed !== 'string' || typeof signature !== 'string')
    return undefined;
  // A plus sign in a query string arrives as a space.
  const mended = (text: string): string => text.replaceAll(' ', '+');
  return {
    Ds_SignatureVersion: version,
    Ds_MerchantParameters: mended(packed),
    Ds_Signature: mended(signature),
  };
}

/**
 * Unpacks parameters, names in lower case: the gateway writes them in both cases. Undefined when they are
 * malformed.
 */
export function unpack(packed: string): Json | undefined {
  try {
    return lowerCased(JSON.parse(Buffer.from(packed, 'base64').toString('utf8')));
  } catch {
    return undefined;
  }
}

function lowerCased(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name.toLowerCase(), part as unknown]),
  );
}

/**
 * Returns a text of a response. Redirections encode their values for URLs; a value with no valid encoding is taken
 * as it is.
 */
export function parseText(parameters: Json, name: string): string {
  const value = parameters[name];
  if (typeof value !== 'string') return '';
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

export function parseAmount(parameters: Json): bigint {
  const text = parseText(parameters, 'ds_amount');
  if (!/^\d{1,12}$/.test(text)) throw new SyntaxError('the answer lacks an amount');
  return BigInt(text);
}

const byNumber: ReadonlyMap<number, Currency> = new Map(
  currencies.map((currency) => [Number(currency.numeric), currency]),
);

/** Returns the ISO code of the currency; a number we do not know is kept, so that it equals none of our codes. */
export function parseCurrency(parameters: Json): string {
  const number = parseText(parameters, 'ds_currency');
  return byNumber.get(Number(number))?.code ?? number;
}

/** Returns whether a response concerns this order of this terminal. */
export function isAbout(parameters: Json, { merchant_code, terminal }: Credentials, order: string): boolean {
  return (
    parseText(parameters, 'ds_order') === order &&
    parseText(parameters, 'ds_merchantcode') === merchant_code &&
    // Terminals are returned as 1 or as 001.
    Number(parseText(parameters, 'ds_terminal')) === Number(terminal)
  );
}

/** Returns the operations listed in a look-up; throws when one of them cannot be parsed. */
export function parseOperations(parameters: Json): OperationView[] {
  const listed = parameters['ds_operations'];
  if (!Array.isArray(listed)) throw new SyntaxError('the answer lists no operations');
  return listed.map((entry) => {
    const operation = lowerCased(entry) ?? {};
    const at = parseMadridTime(parseText(operation, 'ds_date'), parseText(operation, 'ds_hour'));
    if (!at) throw new SyntaxError('the answer lacks a time');
    return {
      type: parseText(operation, 'ds_transactiontype'),
      state: parseText(operation, 'ds_state'),
      response: parseText(operation, 'ds_response') || null,
      amount: parseAmount(operation),
      currency: parseCurrency(operation),
      at,
    };
  });
}
