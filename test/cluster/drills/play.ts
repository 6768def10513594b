import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { say } from '../commands.ts';
import { root } from '../paths.ts';
import { awaitReady, readSecret } from './cluster.ts';
import { findPostgres } from './postgres.ts';
import { startProgram } from './program.ts';
import { trustEndpoint } from './trust-endpoint.ts';
import type { Drill } from './drills.ts';
import type { Report } from './report.ts';
import { compareAlerts, replay, type Raised } from './alerts.ts';
import type { Done } from './goal.ts';
import { judge } from './judge.ts';
import { startRecorder } from './recorder.ts';

/** How long the crowd works before and after what is done, ms. */
const BEFORE_MS = 8_000;
const AFTER_MS = 8_000;

/** What a drill showed. */
export type Played = {
  readonly name: string;
  /** How long it took until every pod was ready again, ms. */
  readonly ms: number;
  readonly report: Report;
  readonly alerts: Raised;
  readonly told?: string;
  /** What is not as the drill's goal has it. */
  readonly missed: readonly string[];
};

/** Plays a drill while a crowd is at work, and judges what the crowd saw. */
export async function play(drill: Drill): Promise<Played> {
  say(`Drill ${drill.name}: ${drill.does}.`);
  try {
    await drill.prepare?.();
    trustEndpoint();
    awaitReady();
    const recorder = startRecorder(drill.name);
    const { ms, done, report } = await playBeforeCrowd(drill);
    const after = (await drill.afterwards?.()) ?? {};
    const alerts = compareAlerts(drill.alerts ?? { should: [], may: [] }, await replay(await recorder.end()));
    const faults = [...(done.faults ?? []), ...(after.faults ?? [])];
    return {
      name: drill.name,
      ms,
      report,
      alerts,
      ...(done.told !== undefined && { told: done.told }),
      missed: judge(drill.goal, report, { ...done, faults }, alerts),
    };
  } finally {
    await drill.tidy?.();
  }
}

/** Does what the drill does while a crowd is at work; resolves when the crowd has left. */
async function playBeforeCrowd(drill: Drill): Promise<{ ms: number; done: Done; report: Report }> {
  const crowd = await startProgram('crowd.ts', {
    DRILL: drill.name,
    SANDBOX_TOKEN: readSecret('sandbox-control-token'),
    POSTGRES_URL: findPostgres(),
    PROMISES: join(root, 'services/group-ledger/invariants.sql'),
  });
  try {
    await delay(BEFORE_MS);
    const startedAt = performance.now();
    const done = (await drill.play()) ?? {};
    const ms = Math.round(performance.now() - startedAt);
    await delay(AFTER_MS);
    return { ms, done, report: JSON.parse(await crowd.ask('leave')) as Report };
  } finally {
    crowd.end();
  }
}
