import { useRef } from 'react';
import { isPassing } from './failure.ts';

/**
 * Runs a money action under a key that stays the same while the same action is tried again without a known outcome: a
 * double click, a lost answer and a retry are one action. A definite answer ends the key's life.
 */
export function useOnce(): <T>(action: unknown, run: (idempotencyKey: string) => Promise<T>) => Promise<T> {
  const pending = useRef<{ name: string; key: string }>(undefined);
  return async (action, run) => {
    const name = JSON.stringify(action);
    if (pending.current?.name !== name) pending.current = { name, key: crypto.randomUUID() };
    try {
      const answer = await run(pending.current.key);
      pending.current = undefined;
      return answer;
    } catch (error) {
      if (!isPassing(error)) pending.current = undefined;
      throw error;
    }
  };
}
