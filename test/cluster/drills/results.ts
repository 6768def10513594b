import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Generated } from '@gp/testing';
import { here, root } from '../paths.ts';
import { DRILLS, type Drill } from './drills.ts';
import { renderDrills, type Result } from './render.ts';
import type { Played } from './play.ts';

const file = join(here, 'drills/results.json');

/** Replaces what is published of a drill, or adds it. */
export async function publish(
  { name, does }: Drill,
  { ms, report, alerts, told, missed }: Played,
): Promise<void> {
  const result: Result = {
    name,
    does,
    seconds: Math.round(ms / 1_000),
    requests: report.requests,
    failed: report.failures.length,
    stallMs: report.longestStallMs,
    paid: report.groups.paid,
    unpaid: report.groups.unpaid.length,
    missingWebhooks: report.webhooks.missing.length,
    contradictions: report.contradictions.length,
    alerts,
    ...(told !== undefined && { told }),
    isMet: missed.length === 0,
    played: `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores`,
  };
  const results = await readResults();
  const merged = new Map([...results, result].map((one) => [one.name, one]));
  await writeFile(file, `${JSON.stringify([...merged.values()], undefined, 2)}\n`);
}

async function readResults(): Promise<readonly Result[]> {
  return JSON.parse(await readFile(file, 'utf8')) as readonly Result[];
}

/** docs/drills.md as the recorded results render it. */
export async function describeGenerated(): Promise<Generated> {
  return {
    folder: join(root, 'docs'),
    files: {
      'drills.md': await renderDrills(
        await readResults(),
        DRILLS.map(({ name }) => name),
      ),
    },
  };
}
