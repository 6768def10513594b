import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { watchEventLoop } from './event-loop.ts';
import { collectProcessMetrics, registry } from './metrics.ts';

/** Returns how many observations took no longer than this, as a scrape shows it. */
async function countUpTo(seconds: '1' | '+Inf'): Promise<number> {
  const begin = `gp_event_loop_delay_seconds_bucket{le="${seconds}"} `;
  const line = (await registry.metrics()).split('\n').find((each) => each.startsWith(begin));
  return Number(line?.slice(begin.length));
}

describe('the delay of the event loop', () => {
  it('a computation that holds the event loop is measured, and a free one is on time', async () => {
    watchEventLoop();
    const heldUntil = performance.now() + 2_000;
    while (performance.now() < heldUntil);
    await delay(1);
    expect([await countUpTo('1'), await countUpTo('+Inf')]).toEqual([0, 1]);
    while ((await countUpTo('1')) === 0) await delay(50);
  });
});

/** A process with the metrics of a service and nothing to do; prints how often it slept and woke within two seconds. */
const atRest = `
  import { collectProcessMetrics } from ${JSON.stringify(new URL('./metrics.ts', import.meta.url).href)};
  import { watchEventLoop } from ${JSON.stringify(new URL('./event-loop.ts', import.meta.url).href)};
  collectProcessMetrics();
  watchEventLoop();
  const count = () => process.resourceUsage().voluntaryContextSwitches;
  const before = count();
  setTimeout(() => process.stdout.write(String(count() - before)), 2_000);
`;

describe('the figures of the process', () => {
  it('a process at rest wakes a few times a second to measure itself, not a hundred times', async () => {
    const args = ['--no-warnings', '--input-type=module', '--eval', atRest];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(Number(stdout)).toBeGreaterThan(0);
    expect(Number(stdout)).toBeLessThan(100);
  });

  it('the process metrics have no event-loop figures of the library, which would stay empty', async () => {
    collectProcessMetrics();
    const names = (await registry.getMetricsAsJSON()).map(({ name }) => name);
    expect(names).toContain('process_cpu_seconds_total');
    expect(names.filter((name) => name.startsWith('nodejs_eventloop'))).toEqual([]);
  });
});
