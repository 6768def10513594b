import { ensureDatabase } from '@gp/pg';
import type { Bench } from '../bench.ts';
import { openDeliveryLoad } from '../load/deliveries.ts';
import { compare, notRun, type Figure } from '../ratios.ts';
import { request } from '../request.ts';
import { startProgram, stopPeer, type Peer } from '../start-peer.ts';
import { startRedis } from '../start-redis.ts';
import { measureInTurn } from '../turns.ts';

/** graphile-worker writes a line for each job otherwise. */
const NO_LOG_OF_JOBS = { NO_LOG_SUCCESS: '1' };
const ENDPOINTS = 20;
const DELIVERIES = 20_000;
/** A short run, asked for with `--seconds`, sends fewer. */
const DELIVERIES_PER_SECOND_ASKED = 4_000;
const WHAT = `durable deliveries/s to ${ENDPOINTS} healthy endpoints`;
const GRAPHILE = { id: 'P3a', what: `${WHAT} / graphile-worker tuned`, goal: 1.2 };
const BULLMQ = { id: 'P3b', what: `${WHAT} / BullMQ, Redis with its log on disk each second`, goal: 1 };

/** P3: durable deliveries a second to healthy endpoints that answer at once, against graphile-worker tuned and BullMQ. */
export async function measureDeliveries({ stack, merchant, rounds, seconds, say }: Bench): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const load = opened.use(await openDeliveryLoad(stack, merchant, ENDPOINTS));
  const events = Math.ceil(Math.min(DELIVERIES, seconds * DELIVERIES_PER_SECOND_ASKED) / ENDPOINTS);
  const count = events * ENDPOINTS;
  const env = { URLS: load.urls.join(' '), ...NO_LOG_OF_JOBS };
  const databaseUrl = await ensureDatabase(stack.postgres, 'bench_graphile');
  const graphile = opened.adopt(
    await startProgram('graphile', { env: { ...env, DATABASE_URL: databaseUrl } }),
    stopPeer,
  );
  const redis = opened.adopt(await startRedis(), (server) => server?.stop());
  const bullmq =
    redis && opened.adopt(await startProgram('bullmq', { env: { ...env, REDIS_URL: redis.url } }), stopPeer);
  const ofPeer = (peer: Peer) => async (): Promise<number> => {
    await request(`${peer.url}/reset`, 'POST');
    return load.rate(count, () => request(`${peer.url}/deliver?count=${count}`, 'POST'));
  };
  // Endpoints are trusted with more at once after they have answered: the first turn is for that, too.
  const rates = await measureInTurn(
    {
      ours: () => load.rate(count, () => load.dispatch(events)),
      'graphile-worker': ofPeer(graphile),
      ...(bullmq && { BullMQ: ofPeer(bullmq) }),
    },
    { rounds, say },
  );
  return [
    compare(GRAPHILE, rates.ours, rates['graphile-worker']),
    rates.BullMQ
      ? compare(BULLMQ, rates.ours, rates.BullMQ)
      : notRun(BULLMQ, 'redis-server (Debian: redis-server)'),
  ];
}
