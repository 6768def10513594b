import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { crashMatrix, type Cell } from './cells.ts';
import { openLane, type Lane } from './lane.ts';

/**
 * A cell mostly waits: for a process to come back, for somebody's patience to end. Several platforms side by side wait
 * at the same time, each with every LANES-th cell.
 */
const LANES = 4;

let lanes: Lane[];
const verdicts = new Map<Cell, Promise<void>>();

beforeAll(async () => {
  lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  lanes.forEach((lane, number) => {
    let previous = Promise.resolve();
    for (const cell of crashMatrix.filter((_, index) => index % LANES === number)) {
      const verdict = previous.then(() => lane.run(cell));
      verdicts.set(cell, verdict);
      previous = verdict.catch(() => undefined);
    }
  });
}, 300_000);
afterAll(async () => {
  await Promise.all((lanes ?? []).map((lane) => lane.close()));
}, 120_000);

describe.each(crashMatrix.map((cell) => [cell.service, cell.point, cell] as const))(
  '%s killed at %s',
  (_service, _point, cell) => {
    it(`${cell.scenario}: every effect happens once, and every webhook arrives`, async () => {
      expect(await verdicts.get(cell)).toBeUndefined();
    }, 1_200_000);
  },
);
