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
 * The client for which a password is hashed. `isKnown`: the browser has logged in as this user before, or is logged in.
 * `name` is the browser's counter, or the network of any other.
 */
export type Client = { readonly name: string; readonly isKnown: boolean };

/**
 * The password hashes of a running service. A hash costs a core some 50 ms, so all kinds are bounded, and none can
 * take the share of another: new passwords and the logins of unknown browsers, which strangers can ask for, never
 * delay the login of a known one. Within a share clients are served in turn. Both reject with `service_unavailable`
 * when too many wait.
 */
export type Passwords = {
  /**
   * Hashes a new password; `validation_error` when it is easy to guess, also by `words` of its user such as the e-mail.
   * `client` is the requesting network or session.
   */
  hash(password: string, words: readonly string[], client: string): Promise<string>;
  /** Returns whether the password is the stored one; without a stored one, returns false after the same work. */
  isRight(stored: string | undefined, password: string, client: Client): Promise<boolean>;
};

type Queues = { readonly known: QueueSize; readonly unknown: QueueSize; readonly hashes: QueueSize };

/** Together they leave a thread of libuv's four to other work. */
const QUEUES: Queues = {
  known: { atOnce: 1, waiting: 64 },
  unknown: { atOnce: 1, waiting: 64 },
  hashes: { atOnce: 1, waiting: 16 },
};

export function openPasswords(queues: Queues = QUEUES): Passwords {
  const checkKnown = openBoundedQueue(queues.known);
  const checkUnknown = openBoundedQueue(queues.unknown);
  const make = openBoundedQueue(queues.hashes);
  return {
    hash: (password, words, client) =>
      make(client, async () => {
        await assertHardToGuess(password, words.flatMap(splitWords));
        return hashPassword(password);
      }),
    isRight: async (stored, password, { name, isKnown }) => {
      const expected = stored ?? (await decoy);
      const check = isKnown ? checkKnown : checkUnknown;
      const matches = await check(name, () => verify(expected, password));
      return matches && stored !== undefined;
    },
  };
}

/** An address is guessed as a whole and by its parts. */
function splitWords(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);
}
