import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ownPostgres } from '@gp/testing';
import { openOwnStack } from '../support/own-stack.ts';
import { findMerchant, root } from '../support/stack.ts';
import type { Measure } from './bench.ts';
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

/** In this order: memory at rest comes before any load. */
const measures: Record<string, { readonly run: Measure; readonly needsWrk: boolean }> = {
  idle: { run: measureIdle, needsWrk: false },
  memory: { run: measureMemory, needsWrk: true },
  payment: { run: measurePayment, needsWrk: false },
  'payment-monolith': { run: measurePaymentMonolith, needsWrk: false },
  'payment-rate': { run: measurePaymentRate, needsWrk: false },
  'hot-group': { run: measureHotGroup, needsWrk: false },
  capture: { run: measureCapture, needsWrk: false },
  expiry: { run: measureExpiry, needsWrk: false },
  webhooks: { run: measureWebhooks, needsWrk: false },
  'webhooks-hanging': { run: measureHangingWebhooks, needsWrk: false },
  deliveries: { run: measureDeliveries, needsWrk: false },
  timers: { run: measureTimers, needsWrk: false },
  relay: { run: measureRelay, needsWrk: false },
  replay: { run: measureReplay, needsWrk: false },
  'login-flood': { run: measureLoginFlood, needsWrk: false },
  neighbours: { run: measureNeighbours, needsWrk: false },
  create: { run: measureCreate, needsWrk: true },
  ledger: { run: measureLedger, needsWrk: false },
  hop: { run: measureHop, needsWrk: false },
  overload: { run: measureOverload, needsWrk: true },
  // These have stacks of their own.
  transitions: { run: measureTransitions, needsWrk: false },
  'slow-gateway': { run: measureSlowGateway, needsWrk: false },
  'scaling-adapters': { run: measureScalingAdapters, needsWrk: false },
  start: { run: measureStart, needsWrk: false },
  growth: { run: measureGrowth, needsWrk: false },
  telemetry: { run: measureTelemetry, needsWrk: false },
  breakdown: { run: measureBreakdown, needsWrk: false },
  // These replace processes of the stack, so they come last.
  'scaling-signal': { run: measureScalingSignal, needsWrk: false },
  scaling: { run: measureScaling, needsWrk: false },
  'rolling-restart': { run: measureRollingRestart, needsWrk: false },
};

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '6' },
    groups: { type: 'string', default: '100000' },
  },
});

const say = (line: string) => process.stdout.write(`  ${line}\n`);
const failed: string[] = [];
const figures = await measureAll();
print(figures);
for (const line of failed) process.stdout.write(`not measured: ${line}\n`);
if (failed.length > 0) process.exitCode = 1;
await mkdir(join(root, '.data'), { recursive: true });
await writeFile(join(root, '.data/bench.json'), JSON.stringify(figures, null, 2) + '\n');
await recordFigures(figures);

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
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    groups: Number(values.groups),
    say,
  };
  const found: Figure[] = [];
  try {
    for (const [name, { run, needsWrk }] of Object.entries(measures)) {
      if (values.only !== undefined && !values.only.split(',').includes(name)) continue;
      process.stdout.write(`${name}\n`);
      if (needsWrk && !canSaturate) say('not measured: wrk is not installed (Debian: wrk)');
      // The other measures go on: what was found is worth publishing.
      else found.push(...(await run(bench).catch((error: unknown) => noteFailure(name, error))));
    }
  } finally {
    await own.close();
    await books.stop();
  }
  return found;
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
