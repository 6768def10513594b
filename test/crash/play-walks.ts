import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brokenPromises } from '../support/promises.ts';
import type { Walk } from './cells.ts';
import { openWalkRunner, type WalkRunner } from './walk-runner.ts';

/**
 * A walk mostly waits, for a process to come back or for a timeout. Several platforms therefore run walks side by side; each
 * takes the next walk when it has finished one.
 */
const RUNNERS = 4;

/** Registers a test for each walk, and one for the promises that every ledger keeps after them. */
export function playWalks(walks: readonly Walk[]): void {
  const verdicts = new Map(walks.map((walk) => [walk, Promise.withResolvers<void>()]));
  let runners: WalkRunner[];

  beforeAll(async () => {
    // Each result is awaited by its own test; until then a rejection must not end the process.
    for (const { promise } of verdicts.values()) promise.catch(() => undefined);
    runners = await Promise.all(Array.from({ length: RUNNERS }, openWalkRunner));
    const left = [...walks];
    for (const runner of runners) void runWalks(runner, left, verdicts);
  }, 300_000);
  afterAll(async () => {
    await Promise.all((runners ?? []).map((runner) => runner.close()));
  });

  const rows = walks.map((walk) => {
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
}

type Verdicts = ReadonlyMap<Walk, PromiseWithResolvers<void>>;

async function runWalks(runner: WalkRunner, left: Walk[], verdicts: Verdicts): Promise<void> {
  for (let walk = left.shift(); walk; walk = left.shift()) {
    const verdict = verdicts.get(walk);
    await runner.run(walk).then(verdict?.resolve, verdict?.reject);
  }
}
