import type { HttpRequest } from '@gp/http';
import type { CardInput, IdempotentCall } from '@gp/psp-sandbox/kit';
import { badRequest } from './errors.ts';

export type Json = Readonly<Record<string, unknown>>;

const MAX_KEY_LENGTH = 255;
const MAX_AMOUNT = 999_999_999;
const MAX_REFERENCE = 80;
const MAX_METADATA = { entries: 50, name: 100, value: 500 };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses the JSON object of a request; returns an empty one when there is none. */
export function readBody({ rawBody }: HttpRequest): Json {
  if (rawBody.length === 0) return {};
  const value = parsed(rawBody);
  if (!isObject(value)) throw badRequest('request_body_malformed');
  return value;
}

function parsed(rawBody: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(rawBody);
    return JSON.parse(text, (_name, value: unknown) => {
      // Text that no database can store.
      if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
        throw new SyntaxError('text');
      return value;
    });
  } catch {
    throw badRequest('request_body_malformed');
  }
}

/** Returns the key of a POST; kept per endpoint, so that one key may serve a capture and a void. */
export function readIdempotentCall(request: HttpRequest, channel: string): IdempotentCall | undefined {
  const key = request.headers['cko-idempotency-key'];
  if (key === undefined || key === '') return undefined;
  if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH) throw badRequest('idempotency_key_invalid');
  const endpoint = request.path.replace(/^\/gateway_b\/processor/, '');
  return { gateway: 'gateway_b', account: channel, key: `${endpoint} ${key}`, fingerprint: '' };
}

function text(body: Json, name: string, maxLength: number): string | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value.length > maxLength) throw badRequest(`${name}_invalid`);
  return value;
}

export function parseAmount(body: Json): bigint | undefined {
  const { amount } = body;
  if (amount === undefined || amount === null) return undefined;
  if (!Number.isSafeInteger(amount) || (amount as number) < 1 || (amount as number) > MAX_AMOUNT) {
    throw badRequest('amount_invalid');
  }
  return BigInt(amount as number);
}

export const parseReference = (body: Json): string | null => text(body, 'reference', MAX_REFERENCE);

export function parseMetadata(body: Json): Record<string, string> {
  const { metadata = {} } = body;
  if (metadata === null) return {};
  if (!isObject(metadata)) throw badRequest('metadata_invalid');
  const entries = Object.entries(metadata);
  const isSane = entries.every(
    ([name, value]) =>
      name.length <= MAX_METADATA.name &&
      !name.includes('\0') &&
      name.isWellFormed() &&
      ['string', 'number', 'boolean'].includes(typeof value) &&
      String(value).length <= MAX_METADATA.value,
  );
  if (!isSane || entries.length > MAX_METADATA.entries) throw badRequest('metadata_invalid');
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

export type PaymentRequest = {
  readonly card: CardInput;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  readonly paymentType: string;
  readonly captures: 'on_request' | 'at_once';
  readonly successUrl: string | null;
  readonly failureUrl: string | null;
};

/** Parses a payment request; refuses a missing or wrong field with the processor's code for it. */
export function readPaymentRequest(body: Json, channel: string): PaymentRequest {
  const { source, currency } = body;
  if (!isObject(source)) throw badRequest('payment_source_required');
  if (source['type'] !== 'card') throw badRequest('payment_source_type_invalid');
  const amountMinor = parseAmount(body);
  if (amountMinor === undefined) throw badRequest('amount_required');
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) throw badRequest('currency_invalid');
  const named = text(body, 'processing_channel_id', 100);
  if (named !== null && named !== channel) throw badRequest('processing_channel_id_invalid');
  return {
    card: parseCard(source),
    amountMinor,
    currency,
    reference: parseReference(body),
    metadata: parseMetadata(body),
    paymentType: text(body, 'payment_type', 40) ?? 'Regular',
    captures: body['capture'] === false ? 'on_request' : 'at_once',
    successUrl: parseReturnAddress(body, 'success_url'),
    failureUrl: parseReturnAddress(body, 'failure_url'),
  };
}

function parseCard(source: Json): CardInput {
  const { number, expiry_month, expiry_year, cvv } = source;
  if (typeof number !== 'string') throw badRequest('card_number_required');
  return {
    number,
    expMonth: parseWholeNumber(expiry_month),
    expYear: parseWholeNumber(expiry_year),
    cvc: parseSecurityCode(cvv),
  };
}

function parseSecurityCode(cvv: unknown): string | undefined {
  if (cvv === undefined || cvv === null) return undefined;
  return typeof cvv === 'string' || typeof cvv === 'number' ? `${cvv}` : '';
}

const parseWholeNumber = (value: unknown): number => (typeof value === 'number' ? value : NaN);

function parseReturnAddress(body: Json, name: string): string | null {
  const address = text(body, name, 1024);
  if (address === null) return null;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) throw badRequest(`${name}_invalid`);
  return url.href;
}
