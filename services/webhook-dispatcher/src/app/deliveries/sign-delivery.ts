import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

const PREFIX = 'whsec_';

export function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

export type Signable = {
  readonly id: string;
  readonly type: string;
  readonly payload: Buffer;
  /** True for a test event, which a header marks. */
  readonly isTest: boolean;
};

/**
 * Every header of a delivery. `Service-Signature` is keyed with the whole text of the secret as the merchant sees it;
 * the three `webhook-…` headers follow Standard Webhooks, whose key is the bytes that the text after the prefix
 * stands for. Both sign the very bytes that are sent, at the second `t`, once with each secret: while a rolled one
 * overlaps, a receiver may know either.
 */
export function signedHeaders(
  event: Signable,
  secrets: readonly [string, ...string[]],
  nowMs: number,
): Record<string, string> {
  const t = Math.floor(nowMs / 1000);
  const ours = secrets.map((secret) => `v1=${mac(secret, `${t}.`, event.payload, 'hex')}`);
  const standard = secrets.map((secret) => {
    // With the bytes as the key Node takes three times as long.
    const key = createSecretKey(secret.slice(PREFIX.length), 'base64');
    return `v1,${mac(key, `${event.id}.${t}.`, event.payload, 'base64')}`;
  });
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'GroupPayments-Webhooks/1.0',
    'Service-Signature': [`t=${t}`, ...ours].join(','),
    'Service-Event-Id': event.id,
    'Service-Event-Type': event.type,
    ...(event.isTest && { 'Service-Test-Event': 'true' }),
    'webhook-id': event.id,
    'webhook-timestamp': String(t),
    'webhook-signature': standard.join(' '),
  };
}

function mac(key: string | KeyObject, head: string, payload: Buffer, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(head).update(payload).digest(encoding);
}

const SIGNATURES = new Set(['Service-Signature', 'webhook-signature']);

/** The headers as the attempt log keeps them. */
export function redacted(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SIGNATURES.has(name) ? '[redacted]' : value]),
  );
}
