import type { Admitted, Calls } from '../../src/calls.ts';

/** Concurrency for more work than a test begins. */
export const highConcurrency = { gatewayConcurrency: 64, merchantConcurrency: 64, breakerResetMs: 1_000 };

/** Calls that admit all work at once. */
export function admitAll(calls: object): Calls<unknown> {
  const admitted = { calls, giveBack: () => undefined } as unknown as Admitted<unknown>;
  return { ...calls, admit: () => Promise.resolve(admitted) } as unknown as Calls<unknown>;
}
