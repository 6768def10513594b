import { expect, it } from '@jest/globals';
import { walk, worlds } from './worlds.ts';

/** The long tests explore the same worlds to their end. */
const NEAREST = 60_000;

it.each(Object.entries(worlds))(
  'the nearest 60,000 states of the world "%s" keep every invariant',
  async (_name, bounds) => {
    const { broken, states } = await walk(bounds, NEAREST);
    expect(broken).toBeUndefined();
    expect(states).toBeGreaterThanOrEqual(NEAREST);
  },
);
