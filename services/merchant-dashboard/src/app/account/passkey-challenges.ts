import type { Db, Queryable } from '@gp/pg';
import type { Loop } from '@gp/service';
import {
  deleteEndedChallenges,
  insertChallenge,
  useChallenge,
  type ChallengeHolder,
} from '../../db/passkeys.ts';
import { hashSecret } from './secrets.ts';
import type { Member } from './sessions.ts';

const REAP_EVERY_MS = 10 * 60 * 1000;

/** The holders of challenges by purpose: a challenge that was issued for one is unknown for the others. */
export const forLogin: ChallengeHolder = { userId: null, sessionId: null };
export const forRegistration = ({ id }: Member): ChallengeHolder => ({ userId: id, sessionId: null });
export const forProof = ({ id, sessionId }: Member): ChallengeHolder => ({ userId: id, sessionId });

/** Stores a challenge that was issued; it is valid once, for five minutes. */
export function issueChallenge(db: Queryable, challenge: string, holder: ChallengeHolder): Promise<void> {
  return insertChallenge(db, hashSecret(challenge), holder);
}

/**
 * Uses up the challenge that a device signed and returns it; undefined when it was issued to another holder, is over, or
 * cannot be read.
 */
export async function takeChallenge(
  db: Queryable,
  clientDataJSON: string,
  holder: ChallengeHolder,
): Promise<string | undefined> {
  const challenge = readChallenge(clientDataJSON);
  if (challenge === undefined) return undefined;
  return (await useChallenge(db, hashSecret(challenge), holder)) ? challenge : undefined;
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
