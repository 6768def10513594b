import { ownPostgres } from '@gp/testing';
import { Refusal } from '../support/command-line.ts';
import { askLedger } from '../support/ledger.ts';
import { openOwnStack } from '../support/own-stack.ts';
import { brokenPromises } from '../support/promises.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';
import { parseArguments } from './arguments.ts';
import type { Bench, Measure } from './bench.ts';
import { hasWrk } from './load/wrk.ts';
import { measureBreakdown } from './measures/breakdown.ts';
import { measureCapture } from './measures/capture.ts';
import { measureCreate } from './measures/create.ts';
import { measureDeliveries } from './measures/deliveries.ts';
import { measureExpiry } from './measures/expiry.ts';
import { measureGrowth } from './measures/growth.ts';
import { measureHop } from './measures/hop.ts';
import { measureHotGroup } from './measures/hot-group.ts';
import { measureIdle } from './measures/idle.ts';
import { measureLedger } from './measures/ledger.ts';
import { measureLinkHolder } from './measures/link-holder.ts';
import { measureLoginFlood } from './measures/login-flood.ts';
import { measureMemory } from './measures/memory.ts';
import { measureNeighbours } from './measures/neighbours.ts';
import { measureOverload } from './measures/overload.ts';
import { measurePayment } from './measures/payment.ts';
import { measurePaymentMonolith } from './measures/payment-monolith.ts';
import { measurePaymentRate } from './measures/payment-rate.ts';
import { measureRelay } from './measures/relay.ts';
import { measureReplay } from './measures/replay.ts';
import { measureRollingRestart } from './measures/rolling-restart.ts';
import { measureScaling } from './measures/scaling.ts';
import { measureScalingAdapters } from './measures/scaling-adapters.ts';
import { measureScalingLedgers } from './measures/scaling-ledgers.ts';
import { measureScalingSignal } from './measures/scaling-signal.ts';
import { measureSlowGateway } from './measures/slow-gateway.ts';
import { measureStart } from './measures/start.ts';
import { measureTelemetry } from './measures/telemetry.ts';
import { measureTimers } from './measures/timers.ts';
import { measureTransitions } from './measures/transitions.ts';
import { measureWebhooks } from './measures/webhook.ts';
import { measureHangingWebhooks } from './measures/webhook-hanging.ts';
import type { Figure } from './ratios.ts';
import { recordFigures } from './results.ts';

type Listed = {
  readonly run: Measure;
  /** Numbers of the goals that its figures belong to; a measure without one has a name only. */
  readonly goals?: readonly string[];
  readonly needsWrk?: true;
};

/** In this order: memory at rest comes before any load. */
const measures: Record<string, Listed> = {
  idle: { run: measureIdle, goals: ['P15'] },
  memory: { run: measureMemory, goals: ['P15'], needsWrk: true },
  payment: { run: measurePayment, goals: ['P6'] },
  'payment-monolith': { run: measurePaymentMonolith, goals: ['P6'] },
  'payment-rate': { run: measurePaymentRate, goals: ['P6'] },
  'hot-group': { run: measureHotGroup, goals: ['P10'] },
  capture: { run: measureCapture },
  expiry: { run: measureExpiry },
  webhooks: { run: measureWebhooks, goals: ['P7'] },
  'webhooks-hanging': { run: measureHangingWebhooks, goals: ['P4'] },
  deliveries: { run: measureDeliveries, goals: ['P3'] },
  timers: { run: measureTimers, goals: ['P9'] },
  relay: { run: measureRelay, goals: ['P12'] },
  replay: { run: measureReplay },
  'login-flood': { run: measureLoginFlood },
  neighbours: { run: measureNeighbours },
  create: { run: measureCreate, goals: ['P1', 'P2'], needsWrk: true },
  ledger: { run: measureLedger, goals: ['P10'] },
  hop: { run: measureHop, goals: ['P5'] },
  overload: { run: measureOverload, goals: ['P11'], needsWrk: true },
  // These have stacks of their own.
  transitions: { run: measureTransitions, goals: ['P10'] },
  'link-holder': { run: measureLinkHolder },
  'slow-gateway': { run: measureSlowGateway, goals: ['P14'] },
  'scaling-adapters': { run: measureScalingAdapters, goals: ['P13'] },
  'scaling-ledgers': { run: measureScalingLedgers, goals: ['P13'] },
  start: { run: measureStart, goals: ['P16'] },
  growth: { run: measureGrowth, goals: ['P8'] },
  telemetry: { run: measureTelemetry, goals: ['P12'] },
  breakdown: { run: measureBreakdown },
  // These replace processes of the stack, so they come last.
  'scaling-signal': { run: measureScalingSignal },
  scaling: { run: measureScaling, goals: ['P13'] },
  'rolling-restart': { run: measureRollingRestart },
};

const { only, ...counts } = orExit(() => parseArguments(process.argv.slice(2)));
const chosen = orExit(() => chooseMeasures(only));
const say = (line: string) => process.stdout.write(`  ${line}\n`);
const failed: string[] = [];
const figures = await measureAll();
print(figures);
for (const line of failed) process.stdout.write(`not measured: ${line}\n`);
if (failed.length > 0) process.exitCode = 1;

/** Returns what `read` returns. Ends with 2 when the command line is refused. */
function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

/** Returns the measures with these names or goals; all without any. Throws a `Refusal` at an unknown one. */
function chooseMeasures(wanted: readonly string[] | undefined): readonly [string, Listed][] {
  const all = Object.entries(measures);
  if (wanted === undefined) return all;
  const isNamed = ([name, { goals = [] }]: [string, Listed], word: string) =>
    name === word || goals.includes(word);
  const unknown = wanted.filter((word) => !all.some((measure) => isNamed(measure, word)));
  if (unknown.length > 0) {
    const names = all.map(([name, { goals = [] }]) => [name, ...goals].join(' '));
    throw new Refusal(
      `There is no measure ${unknown.join(', ')}. Measures and their goals: ${names.join(', ')}`,
    );
  }
  return all.filter((measure) => wanted.some((word) => isNamed(measure, word)));
}

async function measureAll(): Promise<Figure[]> {
  // The sandbox plays the gateways' own machines, so what it asks of its database is no work of the platform's.
  const books = await ownPostgres();
  // As an installation runs: services check the answers of their calls in development only.
  const own = await openOwnStack({ GP_SET_NODE_ENV: 'production', SANDBOX_DATABASE_URL: books.url });
  const canSaturate = await hasWrk();
  const bench = {
    stack: own.stack,
    own,
    merchant: findMerchant(own.stack, 'gateway_a'),
    ...counts,
    say,
  };
  const found: Figure[] = [];
  try {
    for (const [name, { run, needsWrk }] of chosen) {
      const startedAt = performance.now();
      process.stdout.write(`${name}\n`);
      if (needsWrk && !canSaturate) say('not measured: wrk is not installed (Debian: wrk)');
      // The other measures go on: what was found is worth publishing, also when the run is ended early.
      else found.push(...(await measure(bench, run).catch((error: unknown) => noteFailure(name, error))));
      say(`took ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    }
  } finally {
    await own.close();
    await books.stop();
  }
  return found;
}

/** Takes and publishes the figures of one measure, after which every promise of the platform has to be kept. */
async function measure(bench: Bench, run: Measure): Promise<Figure[]> {
  const taken = await run(bench);
  const broken = (await hasGroups(bench.stack)) ? await brokenPromises(bench.stack) : [];
  if (broken.length > 0) throw new Error(`promises are broken: ${JSON.stringify(broken).slice(0, 500)}`);
  await recordFigures(taken);
  return taken;
}

async function hasGroups(stack: StackFile): Promise<boolean> {
  const [found] = await askLedger<{ any: boolean }>(stack, 'select exists (select from groups) as any');
  return found?.any === true;
}

function noteFailure(name: string, error: unknown): Figure[] {
  const reason = error instanceof Error ? error.message : String(error);
  say(`not measured: ${reason}`);
  failed.push(`${name}: ${reason}`);
  return [];
}

function print(rows: readonly Figure[]): void {
  const widths = [18, 74, 30, 22] as const;
  const line = (cells: readonly string[]) =>
    process.stdout.write(cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ') + '\n');
  process.stdout.write('\n');
  line(['#', 'measure', 'value', 'goal']);
  for (const { id, what, value, goal, reached } of rows)
    line([id, what, value, goal && `${goal} ${reached ? 'reached' : 'MISSED'}`]);
}
