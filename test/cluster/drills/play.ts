import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { say } from '../commands.ts';
import { OUTSIDE } from '../constants.ts';
import { here, root } from '../paths.ts';
import { inPki } from '../pki.ts';
import { payThroughIngress } from '../platform.ts';
import { spawnInside } from '../space.ts';
import { awaitReady, readSecret, urls } from './cluster.ts';
import { findPostgres } from './postgres.ts';
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
      missed: judge(drill.goal, report, { ...done, faults }, alerts),
    };
  } finally {
    await drill.tidy?.();
  }
}

/** Does what the drill does while a crowd is at work; resolves when the crowd has left. */
async function playBeforeCrowd(drill: Drill): Promise<{ ms: number; done: Done; report: Report }> {
  const crowd = await gatherCrowd(drill.name);
  try {
    await delay(BEFORE_MS);
    const startedAt = performance.now();
    const done = (await drill.play()) ?? {};
    const ms = Math.round(performance.now() - startedAt);
    await delay(AFTER_MS);
    return { ms, done, report: await crowd.leave() };
  } finally {
    crowd.end();
  }
}

type Crowd = {
  /** Ends its work, and resolves with what it saw. */
  leave(): Promise<Report>;
  end(): void;
};

/** Resolves when a merchant has signed up and the crowd has begun. */
async function gatherCrowd(drill: string): Promise<Crowd> {
  const [, email, password] = / signs in as (\S+) with (\S+)/.exec(payThroughIngress()) ?? [];
  const env = {
    ...process.env,
    ...urls,
    DRILL: drill,
    MERCHANT_EMAIL: email,
    MERCHANT_PASSWORD: password,
    SANDBOX_TOKEN: readSecret('sandbox-control-token'),
    POSTGRES_URL: findPostgres(),
    PROMISES: join(root, 'services/group-ledger/invariants.sql'),
    ENDPOINT_ADDRESS: OUTSIDE,
    ENDPOINT_KEY: inPki('endpoint.key'),
    ENDPOINT_CERTIFICATE: inPki('endpoint.crt'),
    NODE_EXTRA_CA_CERTS: inPki('ca.crt'),
  };
  const child = spawnInside(process.execPath, ['--no-warnings', join(here, 'drills/crowd.ts')], env);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the crowd has ended');
    return value;
  };
  await nextLine();
  return {
    async leave() {
      child.stdin.write('leave\n');
      return JSON.parse(await nextLine()) as Report;
    },
    // The program in the space ends with its input: a signal would end only the one that entered it.
    end: () => child.stdin.destroy(),
  };
}
