import type { Db, Queryable } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteEndedChallenges, insertChallenge, useChallenge } from '../../db/passkeys.ts';
import { hashSecret } from './secrets.ts';

const REAP_EVERY_MS = 10 * 60 * 1000;

/** Stores a challenge that was issued to a user, or to anybody for a login; it is valid once, for five minutes. */
export function issueChallenge(db: Queryable, challenge: string, userId: string | null): Promise<void> {
  return insertChallenge(db, hashSecret(challenge), userId);
}

/**
 * Uses up the challenge that a device signed and returns it; undefined when it was not issued to this user, is over, or
 * cannot be read.
 */
export async function takeChallenge(
  db: Queryable,
  clientDataJSON: string,
  userId: string | null,
): Promise<string | undefined> {
  const challenge = readChallenge(clientDataJSON);
  if (challenge === undefined) return undefined;
  return (await useChallenge(db, hashSecret(challenge), userId)) ? challenge : undefined;
}

function readChallenge(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    const { challenge } = (data ?? {}) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** Deletes challenges that were not answered in time. */
export function reapPasskeyChallenges(db: Db): Loop {
  return {
    name: 'reap-passkey-challenges',
    idleMs: REAP_EVERY_MS,
    runOnce: async () => ((await deleteEndedChallenges(db)) > 0 ? 'busy' : 'idle'),
  };
}
