import { setTimeout as delay } from 'node:timers/promises';
import { inSeconds } from '../../support/journey.ts';
import { openRollout } from '../../support/rollout.ts';
import { services } from '../../support/services.ts';
import { steadyLoad } from '../../support/steady-load.ts';
import type { Bench } from '../bench.ts';
import { round, type Figure } from '../ratios.ts';

const PER_SECOND = 20;

/** Latency of the public API while every service is replaced one after the other, against the same in peace. */
export async function measureRollingRestart({ own, merchant, seconds, say }: Bench): Promise<Figure[]> {
  const rollout = await openRollout(own);
  const load = steadyLoad(buildRequests(rollout.url('api-gateway'), merchant.test_key), PER_SECOND);
  try {
    await delay(3_000);
    load.take();
    await delay(seconds * 4_000);
    const before = p99(load.take());
    const rolled: number[] = [];
    for (const service of services.filter((name) => name !== 'psp-sandbox')) {
      await rollout.roll(service);
      const taken = load.take();
      say(`${service}: p99 ${round(p99(taken), 0)} ms, slowest ${round(taken.at(-1) ?? NaN, 0)} ms`);
      rolled.push(...taken);
    }
    const during = p99(rolled.sort((a, b) => a - b));
    await delay(seconds * 4_000);
    const peace = Math.max(before, p99(load.take()));
    say(
      `${load.answered()} answers, ${load.failures.length} failures: ${load.failures.slice(0, 3).join(' | ')}`,
    );
    return [
      {
        id: 'rolling-restart',
        what: `API at ${PER_SECOND}/s while all services are replaced / in peace, p99`,
        value: `${round(during, 0)} ms / ${round(peace, 0)} ms = ${round(during / peace)}`,
        goal: '≤2, no failure',
        reached: during / peace <= 2 && load.failures.length === 0,
        detail: { failures: load.failures.length, answers: load.answered() },
      },
    ];
  } finally {
    await load.stop();
    await rollout.close();
  }
}

function buildRequests(origin: string, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({
    group_name: 'Steady',
    total_amount: 20,
    currency: 'EUR',
    expires_at: inSeconds(3_600),
    distribution: { type: 'equally', number_of_slots: 2 },
  });
  return [
    { method: 'POST', origin, path: '/v1/group-payments', headers, body },
    { method: 'GET', origin, path: '/v1/group-payments?limit=5', headers },
  ] as const;
}

const p99 = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length * 0.99)] ?? NaN;
