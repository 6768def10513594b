import { hash, verify } from '@node-rs/argon2';
import { openBoundedQueue, type QueueSize } from './bounded-queue.ts';
import { assertHardToGuess } from './password-strength.ts';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one thread. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Checked for an unknown e-mail, so that its response takes as long as that for a wrong password. */
const decoy = hash('a password nobody has', cost);

/** Hashes a password outside the queues, for the command line. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/**
 * The password hashes of a running service. A hash costs a core some 50 ms, so both kinds are bounded, and neither
 * can take the share of the other: new passwords, which strangers can ask for, never delay a login. Both reject
 * with `service_unavailable` when too many wait.
 */
export type Passwords = {
  /**
   * Hashes a new password; `validation_error` when it is easy to guess, also by `words` of its user such as the
   * e-mail.
   */
  hash(password: string, words: readonly string[]): Promise<string>;
  /** Returns whether the password is the stored one; without a stored one, returns false after the same work. */
  isRight(stored: string | undefined, password: string): Promise<boolean>;
};

/** Together they leave a thread of libuv's four to other work. */
const QUEUES = { checks: { atOnce: 2, waiting: 64 }, hashes: { atOnce: 1, waiting: 16 } };

export function openPasswords(queues: { checks: QueueSize; hashes: QueueSize } = QUEUES): Passwords {
  const check = openBoundedQueue(queues.checks);
  const make = openBoundedQueue(queues.hashes);
  return {
    hash: (password, words) =>
      make(async () => {
        await assertHardToGuess(password, words.flatMap(splitWords));
        return hashPassword(password);
      }),
    isRight: async (stored, password) => {
      const expected = stored ?? (await decoy);
      const matches = await check(() => verify(expected, password));
      return matches && stored !== undefined;
    },
  };
}

/** An address is guessed as a whole and by its parts. */
function splitWords(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);
}
