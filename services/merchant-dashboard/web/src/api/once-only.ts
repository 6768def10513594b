import { isPassing } from './failure.ts';

/** Runs an action under an idempotency key; another `action` gets a new key. */
export type Once = <T>(action: unknown, run: (idempotencyKey: string) => Promise<T>) => Promise<T>;

/**
 * Gives a money action a key that stays the same while the same action is tried again without a known outcome: a
 * double click, a lost response and a retry are one action. A definite response ends the use of the key.
 */
export function onceOnly(newKey: () => string = () => crypto.randomUUID()): Once {
  let pending: { readonly name: string; readonly key: string } | undefined;
  return async (action, run) => {
    const name = JSON.stringify(action);
    const mine = pending?.name === name ? pending : { name, key: newKey() };
    pending = mine;
    const forget = () => {
      if (pending === mine) pending = undefined;
    };
    try {
      const answer = await run(mine.key);
      forget();
      return answer;
    } catch (error) {
      if (!isPassing(error)) forget();
      throw error;
    }
  };
}
