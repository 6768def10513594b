import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { collectGarbage } from './collect-garbage.ts';

it('a collection takes at once what nothing refers to, and keeps the rest', async () => {
  const kept = { text: 'kept' };
  const [forgotten, remembered] = [new WeakRef({ text: 'x'.repeat(1_000) }), new WeakRef(kept)];
  // A reference counts as used until the end of the turn that made it.
  await turn();
  collectGarbage();
  expect(forgotten.deref()).toBeUndefined();
  expect(remembered.deref()).toBe(kept);
});
