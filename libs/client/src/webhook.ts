import { createHmac, timingSafeEqual } from 'node:crypto';

export type WebhookEvent = {
  readonly id: string;
  readonly type: string;
  readonly created: string;
  readonly data: Readonly<Record<string, unknown>>;
};

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
  readonly signature: string | undefined;
  /** The secret of the endpoint, as the API showed it. */
  readonly secret: string;
  /** The largest difference between the time of a delivery and ours, in either direction; 300 s by default. */
  readonly toleranceSeconds?: number;
  /** Epoch ms; for tests. */
  readonly now?: number;
};

/** Returns the event of a delivery that is genuine and fresh; throws a WebhookSignatureError for every other. */
export function verifyWebhook(o: Verification): WebhookEvent {
  const { toleranceSeconds = 300, now = Date.now() } = o;
  const { t, signatures } = parseSignatureHeader(o.signature ?? '');
  const wanted = createHmac('sha256', o.secret).update(`${t}.`).update(o.rawBody).digest();
  // Every entry is compared, so that the time taken does not reveal which of them was right.
  const matches = signatures.filter((hex) => isSame(hex, wanted));
  if (matches.length === 0) throw new WebhookSignatureError('no signature fits the body and the secret');
  if (Math.abs(now / 1_000 - Number(t)) > toleranceSeconds)
    throw new WebhookSignatureError('the delivery is too old or from the future');
  return JSON.parse(Buffer.from(o.rawBody).toString()) as WebhookEvent;
}

function parseSignatureHeader(header: string): { t: string; signatures: string[] } {
  const parts = header.split(',').map((part) => part.trim().split('=', 2));
  const listValues = (wanted: string) =>
    parts.flatMap(([name, value = '']) => (name === wanted ? [value] : []));
  const [t = '', ...more] = listValues('t');
  if (more.length > 0 || !/^\d{1,12}$/.test(t)) throw new WebhookSignatureError('the signature has no time');
  return { t, signatures: listValues('v1') };
}

function isSame(hex: string, wanted: Buffer): boolean {
  return /^[0-9a-f]{64}$/.test(hex) && timingSafeEqual(Buffer.from(hex, 'hex'), wanted);
}
