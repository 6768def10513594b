import { createRequire } from 'node:module';

// Jest hands a sequencer no base class: it is the one of its own dependencies.
const require = createRequire(createRequire(import.meta.url).resolve('jest-cli'));
const { default: TestSequencer } = require('@jest/test-sequencer');

/** Whole platforms first, so that files which share one are neighbours and short files fill the end. */
const ORDER = ['long', 'attack', 'journey', 'browser'];

const rank = ({ context }) => {
  const place = ORDER.indexOf(context.config.displayName.name);
  return place < 0 ? ORDER.length : place;
};

/** Orders kinds of tests; within a kind the order is jest's own: failed files first, then the slowest. */
export default class LaneSequencer extends TestSequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
}
