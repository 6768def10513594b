import type { Operations } from './generated/interface.ts';

/**
 * What a webhook delivers: a union by `type`. The API may add types; an endpoint that subscribed to named types receives
 * only those.
 */
export type WebhookEvent = Operations['getEvent']['answer'];

/** A delivery that is not genuine; `message` gives the reason. */
export class WebhookSignatureError extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'WebhookSignatureError';
  }
}

/** A header as Node, Express or `Headers.get` returns it. */
export type HeaderValue = string | readonly string[] | null | undefined;

/** All headers of a delivery: `request.headers` of Node and Express, or the `Headers` of a `Request`. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

export type Verification = {
  /** The bytes as received. A body that was parsed and serialised again has another signature. */
  readonly rawBody: Uint8Array | ArrayBuffer | string;
  /** The secret of the endpoint, as the API showed it. */
  readonly secret: string;
  /** The largest difference between the time of a delivery and ours, in either direction; 300 s by default. */
  readonly toleranceSeconds?: number;
  /** Epoch ms; for tests. */
  readonly now?: number;
} & (
  | {
      /** The value of the header `Service-Signature`. */
      readonly signature: HeaderValue;
    }
  | { readonly headers: WebhookHeaders }
);

const HEADER = 'Service-Signature';

/**
 * Resolves with the event of a delivery that is genuine and fresh; rejects with a WebhookSignatureError for every other.
 * Uses Web Crypto, which Node, browsers and edge runtimes have in common.
 */
export async function verifyWebhook(o: Verification): Promise<WebhookEvent> {
  const { toleranceSeconds = 300, now = Date.now() } = o;
  const body = readBytes(o.rawBody);
  const { t, signatures } = parseSignatureHeader(findSignature(o));
  const key = await importSecret(o.secret);
  const signed = joinBytes(new TextEncoder().encode(`${t}.`), body);
  // Every entry is verified, so that the time taken does not reveal which of them was right.
  const matches = await Promise.all(signatures.map((hex) => verifySignature(key, hex, signed)));
  if (!matches.includes(true)) throw new WebhookSignatureError('no signature fits the body and the secret');
  if (Math.abs(now / 1_000 - Number(t)) > toleranceSeconds)
    throw new WebhookSignatureError('the delivery is too old or from the future');
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
}

/** Frameworks parse bodies by themselves, so the value may be anything whatever its type says. */
function readBytes(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (ArrayBuffer.isView(rawBody))
    return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  if (Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]')
    return new Uint8Array(rawBody as ArrayBuffer);
  const found = rawBody === undefined || rawBody === null ? 'missing' : 'a parsed value';
  throw new WebhookSignatureError(
    `rawBody is ${found}: pass the body as it was received, as bytes or text, before anything parses it`,
  );
}

function findSignature(o: Verification): string {
  const value = 'headers' in o ? findHeader(o.headers, HEADER) : o.signature;
  // Node joins headers of one name the same way.
  return [value ?? ''].flat().join(', ');
}

function findHeader(headers: WebhookHeaders, wanted: string): HeaderValue {
  if (typeof headers.get === 'function') return headers.get(wanted);
  const [, value] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === wanted.toLowerCase()) ?? [];
  return value as HeaderValue;
}

function parseSignatureHeader(header: string): { t: string; signatures: string[] } {
  if (header === '') throw new WebhookSignatureError(`the header ${HEADER} is missing`);
  const parts = header.split(',').map((part) => part.trim().split('=', 2));
  const listValues = (wanted: string) =>
    parts.flatMap(([name, value = '']) => (name === wanted ? [value] : []));
  const [t = '', ...more] = listValues('t');
  if (more.length > 0 || !/^\d{1,12}$/.test(t))
    throw new WebhookSignatureError(
      `the signature has no time, or several: pass the header ${HEADER}, "t=<seconds>,v1=<hex>", and no other`,
    );
  return { t, signatures: listValues('v1') };
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

async function importSecret(secret: string): Promise<Key> {
  if (!secret) throw new WebhookSignatureError('the secret is empty');
  const bytes = new TextEncoder().encode(secret);
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

async function verifySignature(key: Key, hex: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(hex)) return false;
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => parseInt(hex.slice(2 * at, 2 * at + 2), 16));
  return await crypto.subtle.verify('HMAC', key, bytes, signed);
}

function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
