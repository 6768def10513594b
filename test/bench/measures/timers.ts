import { ensureDatabase } from '@gp/pg';
import type { Bench } from '../bench.ts';
import { openRawTimers } from '../load/raw-timers.ts';
import { openScheduler } from '../load/scheduler.ts';
import { compare, type Figure } from '../ratios.ts';
import { request } from '../request.ts';
import { startProgram, stopPeer } from '../start-peer.ts';
import { measureInTurn } from '../turns.ts';

const TIMERS = 20_000;
/** A short run, asked for with `--seconds`, has fewer. */
const TIMERS_PER_SECOND_ASKED = 4_000;
const WHAT = 'timers/s that are due at once, fired and acknowledged by their owner';
const DEFAULT = { id: 'P9a', what: `${WHAT} / graphile-worker with its default settings`, goal: 5 };
const TUNED = { id: 'P9b', what: `${WHAT} / graphile-worker tuned`, goal: 0.8 };
const RAW = { id: 'P9c', what: `${WHAT} / claims of 200 in SQL by one connection`, goal: 0.4 };

/** P9: due timers a second of the scheduler by itself, against graphile-worker and bare claims on the same server. */
export async function measureTimers({ stack, rounds, seconds, say }: Bench): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const count = Math.min(TIMERS, seconds * TIMERS_PER_SECOND_ASKED);
  const scheduler = opened.use(await openScheduler(stack));
  const databaseUrl = await ensureDatabase(stack.postgres, 'bench_graphile_timers');
  const raw = opened.use(await openRawTimers(databaseUrl));
  const startGraphile = async (env: NodeJS.ProcessEnv): Promise<() => Promise<number>> => {
    const program = await startProgram('graphile-timers', { env: { DATABASE_URL: databaseUrl, ...env } });
    const { url } = opened.adopt(program, stopPeer);
    return async () => count / ((await request(`${url}/fire?count=${count}`, 'POST')) as number);
  };
  const rates = await measureInTurn(
    {
      ours: async () => count / (await scheduler.fire(count)),
      'graphile-worker': await startGraphile({}),
      tuned: await startGraphile({ TUNED: '1', NO_LOG_SUCCESS: '1' }),
      raw: async () => count / (await raw.claim(count)),
    },
    { rounds, say },
  );
  return [
    compare(DEFAULT, rates.ours, rates['graphile-worker']),
    compare(TUNED, rates.ours, rates.tuned),
    compare(RAW, rates.ours, rates.raw),
  ];
}
