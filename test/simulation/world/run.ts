import { pspCodes } from '@gp/gateway-registry';
import { Merchant } from '../actors/merchants.ts';
import { operate } from '../actors/operators.ts';
import { makeTrouble } from '../actors/trouble.ts';
import { Contradictions, type Contradiction } from '../judge/contradiction.ts';
import { judgeBooks } from '../judge/judge-books.ts';
import { judgeCommit } from '../judge/judge-commits.ts';
import { findWorldUnrest, judgeRest } from '../judge/judge-rest.ts';
import { EPOCH_MS, useTime } from '../runtime/virtual-time.ts';
import { World, type RunOptions } from './world.ts';

export type Ran = {
  readonly seed: number;
  readonly payments: number;
  /** Those that a gateway held money for. */
  readonly held: number;
  readonly groups: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly states: ReadonlyMap<string, number>;
  readonly events: number;
  readonly virtualMs: number;
  readonly contradictions: readonly Contradiction[];
  readonly log: readonly string[];
};

const HOUR_MS = 3_600_000;
/** Longer than the pause between two comparisons of all books, which find what a lost callback left behind. */
const COMPARED_MS = 27 * HOUR_MS;
/** Longer than any hold lives, and than the slowest ladder of tries takes afterwards. */
const STUCK_MS = 16 * 24 * HOUR_MS;
const LOOK_EVERY_MS = HOUR_MS;

/** Runs the world of a seed from its beginning to its rest, and judges it. */
export async function runWorld(seed: number, o: RunOptions = {}): Promise<Ran> {
  const world = new World(seed, o);
  const { time, plan, faults } = world;
  useTime(time);
  const c = new Contradictions();
  world.ledger.tables.groups.onPut((before, after) => judgeCommit(c, before, after));
  world.startServices();
  await connectMerchants(world);
  world.listenToEvents();
  faults.isHealed = false;
  makeTrouble(world);
  const healedAtMs = time.nowMs + plan.healedAtMs;
  await time.run(() => time.nowMs >= healedAtMs);
  faults.isHealed = true;
  for (const database of world.databases) database.skewMs = Math.max(0, database.skewMs);
  operate(world);
  await settle(world);
  judgeRest(c, world);
  judgeBooks(c, world);
  useTime(undefined);
  return summarize(world, c.found);
}

async function connectMerchants(world: World): Promise<void> {
  const { time, people, plan, journal } = world;
  let connected = 0;
  for (const planned of plan.merchants) {
    const merchant = new Merchant(world, planned);
    people.resume(() => {
      merchant.connect().then(
        () => {
          connected += 1;
          merchant.begin();
        },
        (error: unknown) => void journal.faults.push(`a merchant could not connect: ${String(error)}`),
      );
    });
  }
  await time.run(() => connected === plan.merchants.length || time.nowMs > EPOCH_MS + HOUR_MS);
}

/** Runs until everything is at rest and the books were compared, or until it is certain that something is stuck. */
async function settle(world: World): Promise<void> {
  const { time, outside } = world;
  const healedAtMs = time.nowMs;
  let isAtRest = false;
  const look = (): void => {
    const isCompared = time.nowMs >= healedAtMs + COMPARED_MS;
    isAtRest = isCompared && findWorldUnrest(world) === undefined;
    if (!isAtRest) time.after(LOOK_EVERY_MS, outside, look);
  };
  time.after(LOOK_EVERY_MS, outside, look);
  await time.run(() => isAtRest || time.nowMs >= healedAtMs + STUCK_MS);
}

function summarize(world: World, contradictions: readonly Contradiction[]): Ran {
  const { ledger, gateways, faults, time, journal, seed } = world;
  const bundles = [...ledger.tables.groups.all()];
  const states = new Map<string, number>();
  for (const { group } of bundles) states.set(group.state, (states.get(group.state) ?? 0) + 1);
  return {
    seed,
    payments: bundles.reduce((sum, { intents }) => sum + intents.length, 0),
    held: pspCodes.reduce(
      (sum, psp) => sum + gateways[psp].books.payments.filter(({ effects }) => effects.length > 0).length,
      0,
    ),
    groups: bundles.length,
    ...{ faults: faults.counts, states, events: time.ran, virtualMs: time.nowMs - EPOCH_MS },
    contradictions,
    log: journal.lines,
  };
}
