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

export type Verification = {
  /** The bytes as received. A body that was parsed and serialised again has another signature. */
  readonly rawBody: Uint8Array | string;
  /** The header `Service-Signature`. */
  readonly signature: string | null | undefined;
  /** The secret of the endpoint, as the API showed it. */
  readonly secret: string;
  /** The largest difference between the time of a delivery and ours, in either direction; 300 s by default. */
  readonly toleranceSeconds?: number;
  /** Epoch ms; for tests. */
  readonly now?: number;
};

/**
 * Resolves with the event of a delivery that is genuine and fresh; rejects with a WebhookSignatureError for every other.
 * Uses Web Crypto, which Node, browsers and edge runtimes have in common.
 */
export async function verifyWebhook(o: Verification): Promise<WebhookEvent> {
  const { toleranceSeconds = 300, now = Date.now() } = o;
  const { t, signatures } = parseSignatureHeader(o.signature ?? '');
  const body = typeof o.rawBody === 'string' ? new TextEncoder().encode(o.rawBody) : o.rawBody;
  const key = await importSecret(o.secret);
  const signed = joinBytes(new TextEncoder().encode(`${t}.`), body);
  // Every entry is verified, so that the time taken does not reveal which of them was right.
  const matches = await Promise.all(signatures.map((hex) => verifySignature(key, hex, signed)));
  if (!matches.includes(true)) throw new WebhookSignatureError('no signature fits the body and the secret');
  if (Math.abs(now / 1_000 - Number(t)) > toleranceSeconds)
    throw new WebhookSignatureError('the delivery is too old or from the future');
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
}

function parseSignatureHeader(header: string): { t: string; signatures: string[] } {
  const parts = header.split(',').map((part) => part.trim().split('=', 2));
  const listValues = (wanted: string) =>
    parts.flatMap(([name, value = '']) => (name === wanted ? [value] : []));
  const [t = '', ...more] = listValues('t');
  if (more.length > 0 || !/^\d{1,12}$/.test(t)) throw new WebhookSignatureError('the signature has no time');
  return { t, signatures: listValues('v1') };
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

async function importSecret(secret: string): Promise<Key> {
  if (secret === '') throw new WebhookSignatureError('the secret is empty');
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
