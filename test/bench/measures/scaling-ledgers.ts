import { randomBytes } from 'node:crypto';
import { openBus, type Bus } from '@gp/bus';
import { reserveSlots } from '@gp/contracts';
import type { Replica } from '@gp/stack';
import { ownPostgres } from '@gp/testing';
import { newGroup, openApi } from '../../support/journey.ts';
import { openOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { startAgain } from '../../support/replicas.ts';
import { findMerchant, type Merchant } from '../../support/stack.ts';
import type { Bench } from '../bench.ts';
import { openFarServer } from '../load/far-server.ts';
import { computeSpread, ratios, round, type Figure } from '../ratios.ts';

const COUNTS = [1, 2, 4] as const;
/** How long a statement takes at least. */
const ROUND_TRIP_MS = 50;
/** Connections of one replica: few, so that waiting for Postgres and not this machine is the limit. */
const CONNECTIONS = 2;
/** Enough that no replica is without work, although the bus gives each request to any of them. */
const PAYERS_EACH = 24;
/** Reservations of one replica in a round. */
const RESERVATIONS_EACH = 48;

/**
 * P13-ledgers: reservations a second that one, two and four ledgers decide and store, each with two connections to a
 * Postgres that is 50 ms away: far enough that two cores carry four ledgers. In a stack of its own.
 */
export async function measureScalingLedgers({ rounds, say }: Bench): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const postgres = opened.adopt(await ownPostgres(), (server) => server.stop());
  const far = opened.use(await openFarServer(postgres.url, ROUND_TRIP_MS));
  const own = await openOwnStack({
    GP_SET_NODE_ENV: 'production',
    DATABASE_URL: postgres.url,
    DATABASE_POOLER_URL: far.url,
  });
  opened.defer(() => own.close());
  const replicas = await startLedgers(own);
  const bus = await openBus({
    servers: own.stack.nats,
    name: 'bench-scaling-ledgers',
    nkeySeed: own.stack.nats_seeds.administrator,
  });
  opened.defer(() => bus.close());
  const merchant = findMerchant(own.stack, 'gateway_a');
  const rates = new Map<number, number[]>(COUNTS.map((count) => [count, []]));
  for (let turn = 0; turn < rounds; turn++)
    for (const count of COUNTS) {
      await Promise.all(replicas.slice(count).map((replica) => replica.stop()));
      const perSecond = await reservationsPerSecond({ own, bus, merchant }, count);
      rates.get(count)?.push(perSecond);
      say(`${count} replicas: ${round(perSecond, 1)}/s`);
      await Promise.all(replicas.slice(count).map(startAgain));
    }
  return [buildFigure(rates)];
}

/** Ledgers with few connections, in place of the one that the stack began with. */
async function startLedgers({ opened }: OwnStack): Promise<readonly Replica[]> {
  await opened.processes.get('group-ledger')?.stop();
  const replicas: Replica[] = [];
  for (let number = 0; number < Math.max(...COUNTS); number++)
    replicas.push(await opened.startReplica('group-ledger', { DATABASE_CONNECTIONS: String(CONNECTIONS) }));
  return replicas;
}

/** Has payers reserve the only slot of groups, each of a group of its own; measures until the last one is answered. */
async function reservationsPerSecond(
  { own, bus, merchant }: { own: OwnStack; bus: Bus; merchant: Merchant },
  replicas: number,
): Promise<number> {
  const api = openApi(own.stack, merchant);
  const reservations = replicas * RESERVATIONS_EACH;
  const groups = await Promise.all(Array.from({ length: reservations }, () => newGroup(api, 1)));
  const ids = groups.map(({ group_payment }) => group_payment.id);
  const reserveOnAndOn = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop())
      await bus.call(reserveSlots, {
        merchant_id: merchant.merchant_id,
        mode: 'test',
        command_id: newDigest(),
        fingerprint: newDigest(),
        group_id: id,
        customer_email: `${newDigest().slice(0, 8)}@example.com`,
      });
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: replicas * PAYERS_EACH }, reserveOnAndOn));
  return reservations / ((performance.now() - startedAt) / 1_000);
}

const newDigest = () => randomBytes(32).toString('hex');

function buildFigure(rates: ReadonlyMap<number, readonly number[]>): Figure {
  const one = rates.get(1) ?? [];
  const [two, four] = [ratios(rates.get(2) ?? [], one), ratios(rates.get(4) ?? [], one)];
  const perSecond = COUNTS.map((count) => round(computeSpread(rates.get(count) ?? []).median, 1)).join(', ');
  return {
    id: 'P13-ledgers',
    what: `reservations/s of 1, 2, 4 ledgers with ${CONNECTIONS} connections each, Postgres ${ROUND_TRIP_MS} ms away`,
    value: `${perSecond}; ×${round(two.median)}, ×${round(four.median)}`,
    goal: '×≥1.8, ×≥3.2',
    reached: two.median >= 1.8 && four.median >= 3.2,
    detail: { two: round(two.median), four: round(four.median) },
  };
}
