import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
/** As the platform's own secrets: the text after the prefix is base64. */
export const SECRET = /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/;

/**
 * Returns the secret that `listen` signs with under an API key. It follows from the key, so that `--print-secret` and a later
 * `listen` agree without a stored profile, too; the key does not follow from it.
 */
export const deriveSecret = (key: string): string =>
  PREFIX + createHmac('sha256', key).update('group-payments listen').digest('base64');

/**
 * Returns the headers of a webhook as the platform sends them: `Service-Signature` is keyed with the whole text of the
 * secret, the `webhook-…` headers follow Standard Webhooks.
 */
export function signWebhook(
  event: { readonly id: string; readonly type: string },
  { body, secret, now = Date.now() }: { body: string; secret: string; now?: number },
): Record<string, string> {
  const t = Math.floor(now / 1_000);
  const standardKey = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const standard = createHmac('sha256', standardKey).update(`${event.id}.${t}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'GroupPayments-CLI/1.0',
    'service-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`,
    'service-event-id': event.id,
    'service-event-type': event.type,
    'webhook-id': event.id,
    'webhook-timestamp': String(t),
    'webhook-signature': `v1,${standard}`,
  };
}
