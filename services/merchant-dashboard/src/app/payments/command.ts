import { createHash, randomBytes } from 'node:crypto';
import type { Mode } from '@gp/contracts';
import { validationError } from '@gp/errors';

const LONGEST_KEY = 255;

/**
 * Returns the identity under which the owning service deduplicates an action that moves money: the same key again
 * is the same action, and with another input it is refused. Keys of the dashboard never collide with those of the
 * merchant's servers.
 */
export function deriveIdentity(
  o: { readonly merchantId: string; readonly mode: Mode },
  key: string | undefined,
  action: readonly unknown[],
): { command_id: string; fingerprint: string } {
  if (key === undefined || key === '') throw validationError('Idempotency-Key', 'is required');
  if (key.length > LONGEST_KEY)
    throw validationError('Idempotency-Key', `must have at most ${LONGEST_KEY} characters`);
  return {
    command_id: sha256(JSON.stringify([o.merchantId, o.mode, 'dashboard', key])),
    fingerprint: sha256(JSON.stringify(action)),
  };
}

/**
 * Returns the identity of an action that clients cannot repeat: only our own retries towards its owner share it.
 */
export function freshIdentity(): { command_id: string; fingerprint: string } {
  const once = randomBytes(32).toString('hex');
  return { command_id: once, fingerprint: once };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
