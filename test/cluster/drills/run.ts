import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../commands.ts';
import { kept } from '../paths.ts';
import { DRILLS, type Drill } from './drills.ts';
import { play, type Played } from './play.ts';
import { publish } from './results.ts';

/** Where each drill leaves what it showed, in full. */
const folder = join(kept, 'drills');

/**
 * Plays the drills of these names, or `all`, in the order of the list, and prints what each cost. Resolves with whether
 * all met their goals; throws when a name is unknown.
 */
export async function playDrills(names: readonly string[]): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  let isMet = true;
  for (const drill of findDrills(names)) {
    const played = await playWhereItCan(drill);
    if (played === undefined) continue;
    writeFileSync(join(folder, `${drill.name}.json`), JSON.stringify(played, undefined, 2));
    await publish(drill, played);
    process.stdout.write(`${describePlayed(played)}\n`);
    isMet &&= played.missed.length === 0;
  }
  return isMet;
}

/** Plays a drill; says so in a line and resolves with undefined where this machine lacks what it needs. */
async function playWhereItCan(drill: Drill): Promise<Played | undefined> {
  try {
    return await play(drill);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    process.stdout.write(`NOT RUN: the drill ${drill.name}, since ${error.message}\n`);
    return undefined;
  }
}

function findDrills(names: readonly string[]): readonly Drill[] {
  const unknown = names.filter((name) => name !== 'all' && !DRILLS.some((drill) => drill.name === name));
  if (unknown.length > 0)
    throw new Error(
      `no drill is named ${unknown.join(', ')}; there are ${DRILLS.map(({ name }) => name).join(', ')}`,
    );
  return names.includes('all') ? DRILLS : DRILLS.filter(({ name }) => names.includes(name));
}

function describePlayed({ name, ms, report, told, missed }: Played): string {
  const { requests, failures, longestStallMs, slowestMs, groups, webhooks, contradictions } = report;
  const figures = [
    `${Math.round(ms / 1_000)} s`,
    `${failures.length} of ${requests} requests failed`,
    `longest stall ${longestStallMs} ms, slowest answer ${slowestMs} ms`,
    `${groups.paid} groups paid, ${groups.unpaid.length} not, the slowest in ${groups.slowestMs} ms`,
    `${webhooks.missing.length} webhooks missing, ${webhooks.repeated} repeated`,
    `${contradictions.length} contradictions`,
    ...(told === undefined ? [] : [told]),
  ];
  return [`${name}: ${figures.join('; ')}`, ...missed.map((line) => `  MISSED: ${line}`)].join('\n');
}
