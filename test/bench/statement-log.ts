import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { StackFile } from '../support/stack.ts';

/** How often a service ran one statement, and how long Postgres worked on it, ms in all. */
export type StatementUse = {
  readonly service: string;
  readonly statement: string;
  readonly runs: number;
  readonly ms: number;
  /** The part of it in which the statement was bound to its parameters and, mostly, planned. */
  readonly planMs: number;
};

/** The servers read their configuration again within this time. */
const RELOAD_MS = 300;

/**
 * Runs `work` while Postgres logs each statement with its time, and returns the use of each named statement by service,
 * most runs first. The log costs time itself: take no other figure meanwhile.
 */
export async function logStatements(
  stack: StackFile,
  dataDir: string,
  work: () => Promise<unknown>,
): Promise<readonly StatementUse[]> {
  return sumLines(await readLog(stack, dataDir, work));
}

/** Runs `work` and returns the parameters, as text, of the last run of this named statement meanwhile. Throws when there was none. */
export async function logParameters(
  stack: StackFile,
  dataDir: string,
  statement: string,
  work: () => Promise<unknown>,
): Promise<readonly (string | null)[]> {
  const lines = (await readLog(stack, dataDir, work)).split('\n');
  const at = lines.findLastIndex((line) => line.includes(` execute ${statement}:`));
  // The statement may have many lines of its own; its parameters follow.
  const parameters = lines.slice(at + 1).find((line) => PARAMETERS.test(line));
  if (at < 0 || parameters === undefined) throw new Error(`no parameters of ${statement} were logged`);
  return [...parameters.replace(PARAMETERS, '').matchAll(PARAMETER)].map(
    ([, text]) => text?.replaceAll("''", "'") ?? null,
  );
}

const PARAMETERS = /^.*\|DETAIL: {2}parameters: /i;
const PARAMETER = /\$\d+ = (?:NULL|'((?:[^']|'')*)')/g;

async function readLog(stack: StackFile, dataDir: string, work: () => Promise<unknown>): Promise<string> {
  const file = join(dataDir, 'postgres/postgres.log');
  await setLogging(stack, true);
  const from = (await stat(file)).size;
  try {
    await work();
  } finally {
    await setLogging(stack, false);
  }
  return (await readFile(file)).subarray(from).toString();
}

async function setLogging(stack: StackFile, isOn: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: stack.postgres });
  await client.connect();
  const changes = isOn
    ? [`set log_min_duration_statement = 0`, `set log_line_prefix = '%a of %d|'`]
    : [`reset log_min_duration_statement`, `reset log_line_prefix`];
  for (const change of changes) await client.query(`alter system ${change}`);
  await client.query('select pg_reload_conf()');
  await client.end();
  await delay(RELOAD_MS);
}

// A prepared statement makes a line for its binding and one for its execution; a plain one has its text instead of a name.
const LINE =
  /^(.+)\|LOG: {2}duration: ([\d.]+) ms {2}(?:(bind|execute|parse) ([^:]+)|statement): (.{0,60})/gm;

function sumLines(log: string): readonly StatementUse[] {
  const uses = new Map<
    string,
    { service: string; statement: string; runs: number; ms: number; planMs: number }
  >();
  for (const [, service = '', ms, step, name, text = ''] of log.matchAll(LINE)) {
    const statement = name === undefined || name === '<unnamed>' ? text : name;
    const key = `${service}/${statement}`;
    const use = uses.get(key) ?? { service, statement, runs: 0, ms: 0, planMs: 0 };
    uses.set(key, use);
    use.ms += Number(ms);
    if (step === 'bind' || step === 'parse') use.planMs += Number(ms);
    if (step === undefined || step === 'execute') use.runs += 1;
  }
  return [...uses.values()].sort((a, b) => b.runs - a.runs || b.ms - a.ms);
}
