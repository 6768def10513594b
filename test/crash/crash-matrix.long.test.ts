import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brokenPromises } from '../support/promises.ts';
import { crashMatrix, type Walk } from './cells.ts';
import { openLane, type Lane } from './lane.ts';

/**
 * A walk mostly waits: for a process to come back, for somebody's patience to end. Several platforms side by side wait
 * at the same time; each takes the next walk when it is done with one.
 */
const LANES = 4;

let lanes: Lane[];
const verdicts = new Map(crashMatrix.map((walk) => [walk, Promise.withResolvers<void>()]));

beforeAll(async () => {
  // Each is awaited by its own test; until then a failure is nobody's.
  for (const { promise } of verdicts.values()) promise.catch(() => undefined);
  lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  const left = [...crashMatrix];
  for (const lane of lanes) void workOff(lane, left);
}, 300_000);
afterAll(async () => {
  await Promise.all((lanes ?? []).map((lane) => lane.close()));
});

async function workOff(lane: Lane, left: Walk[]): Promise<void> {
  for (let walk = left.shift(); walk; walk = left.shift()) {
    const verdict = verdicts.get(walk);
    await lane.run(walk).then(verdict?.resolve, verdict?.reject);
  }
}

const rows = crashMatrix.map((walk) => {
  const forgets = walk.isForgetting ? ', and the bus forgets' : '';
  return [walk.service, `${walk.points.join(', ')}${forgets}`, walk] as const;
});

describe.each(rows)('%s killed at %s', (_service, _points, walk) => {
  it(`${walk.scenario}: every effect happens once, and every webhook arrives (F9)`, async () => {
    expect(await verdicts.get(walk)?.promise).toBeUndefined();
  }, 1_200_000);
});

it('every promise of every ledger holds after all of this', async () => {
  for (const lane of lanes) expect(await brokenPromises(lane.stack)).toEqual([]);
});
