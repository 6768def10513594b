import { setTimeout as delay } from 'node:timers/promises';
import { kubectl } from '../control-plane.ts';
import { releaseWith } from '../platform.ts';
import { values } from '../values.ts';
import { fullName, namespaced } from './cluster.ts';
import type { Done } from './goal.ts';
import { installKeda, removeKeda } from './keda.ts';
import { startProgram } from './program.ts';
import { startPrometheus, type Prometheus } from './prometheus.ts';
import type { UpdatesReport } from './updates.ts';

const DISPATCHER = 'webhook-dispatcher';
const MOST = 4;
/** Pools so small that endpoints fill four of them with the work of two cores; a lane is at most a quarter of a pool. */
const SMALL_POOL = { MAX_IN_FLIGHT: '20', LANE_CAP: '5' };
/** So much that not the work but the waiting scales: the quick start's pods ask for next to nothing. */
const CPU = '250m';
/** How long endpoints keep a delivery waiting when they are slow and when they are quick, ms; what waits for over a second counts apart. */
const [SLOW_MS, QUICK_MS] = [800, 20];
/** How long the most dispatchers work, ms. */
const TOGETHER_MS = 30_000;
/** The chart waits five minutes before it scales down, and then takes a quarter of the replicas a minute. */
const [UP_WITHIN_MS, DOWN_WITHIN_MS] = [300_000, 900_000];
const LOOK_EVERY_MS = 1_000;

let prometheus: Prometheus | undefined;

/** Installs KEDA and Prometheus, and lets them scale the dispatchers, of which one runs, by the chart's own rules. */
export async function installAutoscaler(): Promise<void> {
  await installKeda();
  prometheus = await startPrometheus();
  const extraEnv = Object.entries(SMALL_POOL).map(([name, value]) => ({ name, value }));
  const resources = { requests: { cpu: CPU } };
  const small = { services: { [DISPATCHER]: { replicas: 1, extraEnv, resources } } };
  // What scales it has a window of five minutes in which it keeps the replicas that it found.
  releaseWith('upgrade', [values(), small, { webhookScaling: { enabled: false } }]);
  const webhookScaling = {
    enabled: true,
    keda: true,
    prometheusUrl: prometheus.url,
    minReplicas: 1,
    maxReplicas: MOST,
  };
  releaseWith('upgrade', [values(), small, { webhookScaling }]);
  const scaled = `scaledobject/${fullName(DISPATCHER)}`;
  kubectl(namespaced('wait', scaled, '--for=condition=Ready', '--timeout', '2m'));
}

/** Lets endpoints turn slow until there are four dispatchers, and quick until there is one. */
export async function scaleDispatchers(): Promise<Done> {
  const updates = await startProgram('updates.ts');
  try {
    await updates.ask(JSON.stringify({ answerAfterMs: SLOW_MS }));
    const up = await awaitDispatchers(MOST, UP_WITHIN_MS);
    await delay(TOGETHER_MS);
    await updates.ask(JSON.stringify({ answerAfterMs: QUICK_MS }));
    const down = await awaitDispatchers(1, DOWN_WITHIN_MS);
    const report = JSON.parse(await updates.ask('leave')) as UpdatesReport;
    return { faults: [...up.faults, ...down.faults, ...report.faults], told: describe(up, down, report) };
  } finally {
    updates.end();
  }
}

/** Scales as the cluster does otherwise, and takes KEDA and Prometheus away. */
export async function removeAutoscaler(): Promise<void> {
  // The number of dispatchers belongs to what scaled them.
  releaseWith('upgrade', [values()], { flags: ['--force-conflicts'] });
  removeKeda();
  await prometheus?.end();
  prometheus = undefined;
}

type Scaled = { readonly ms: number; readonly faults: readonly string[] };

/** Waits until so many dispatchers are there and ready. */
async function awaitDispatchers(wanted: number, withinMs: number): Promise<Scaled> {
  const startedAt = performance.now();
  for (;;) {
    const [found, ready] = countDispatchers();
    const ms = Math.round(performance.now() - startedAt);
    if (found === wanted && ready === wanted) return { ms, faults: [] };
    if (ms > withinMs)
      return {
        ms,
        faults: [`${ready} of ${found} dispatchers are ready after ${ms} ms, and ${wanted} were wanted`],
      };
    await delay(LOOK_EVERY_MS);
  }
}

function countDispatchers(): readonly number[] {
  const columns = 'jsonpath={.status.replicas} {.status.readyReplicas}';
  return kubectl(namespaced('get', `deployment/${fullName(DISPATCHER)}`, '--output', columns))
    .split(' ')
    .map(Number);
}

function describe(up: Scaled, down: Scaled, { updates, deliveries, repeated }: UpdatesReport): string {
  const seconds = ({ ms }: Scaled) => `${Math.round(ms / 1_000)} s`;
  return (
    `four dispatchers ${seconds(up)} after endpoints turned slow, one ${seconds(down)} after they turned quick; ` +
    `${updates} events, ${deliveries} deliveries, ${repeated} of them repeated`
  );
}
