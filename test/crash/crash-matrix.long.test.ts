import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brokenPromises } from '../support/promises.ts';
import { crashMatrix, type Walk } from './cells.ts';
import { openWalkRunner, type WalkRunner } from './walk-runner.ts';

/**
 * A walk mostly waits, for a process to come back or for a timeout. Several platforms therefore run walks side by side; each
 * takes the next walk when it has finished one.
 */
const RUNNERS = 4;

let runners: WalkRunner[];
const verdicts = new Map(crashMatrix.map((walk) => [walk, Promise.withResolvers<void>()]));

beforeAll(async () => {
  // Each result is awaited by its own test; until then a rejection must not end the process.
  for (const { promise } of verdicts.values()) promise.catch(() => undefined);
  runners = await Promise.all(Array.from({ length: RUNNERS }, openWalkRunner));
  const left = [...crashMatrix];
  for (const runner of runners) void runWalks(runner, left);
}, 300_000);
afterAll(async () => {
  await Promise.all((runners ?? []).map((runner) => runner.close()));
});

async function runWalks(runner: WalkRunner, left: Walk[]): Promise<void> {
  for (let walk = left.shift(); walk; walk = left.shift()) {
    const verdict = verdicts.get(walk);
    await runner.run(walk).then(verdict?.resolve, verdict?.reject);
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
  for (const runner of runners) expect(await brokenPromises(runner.stack)).toEqual([]);
});
