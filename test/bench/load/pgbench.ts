import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from './find-program.ts';

const run = promisify(execFile);
const PLACES = [
  'pgbench',
  '/usr/lib/postgresql/18/bin/pgbench',
  '/usr/lib/postgresql/17/bin/pgbench',
  '/usr/lib/postgresql/15/bin/pgbench',
];

/** The program, or undefined when no package with it is installed. */
export const findPgbench = (): Promise<string | undefined> => findProgram(PLACES);

/** The load of one run: a script, and how long or how often each of the clients runs it. */
export type PgbenchLoad = {
  readonly url: string;
  /** Statements; `\set` lines and variables are pgbench's. */
  readonly script: string;
  readonly clients: number;
  /** Whole numbers that the script reads as variables. */
  readonly variables?: Readonly<Record<string, number>>;
} & ({ readonly seconds: number } | { readonly runsOfEach: number });

/** Transactions per second of prepared statements, `clients` at a time, from one thread. */
export async function transactionsPerSecond(program: string, o: PgbenchLoad): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'gp-pgbench-'));
  const file = join(folder, 'script.sql');
  await writeFile(file, o.script);
  const length = 'seconds' in o ? ['-T', String(o.seconds)] : ['-t', String(o.runsOfEach)];
  const variables = Object.entries(o.variables ?? {}).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
  const fixed = ['-n', '-M', 'prepared', '-j', '1', '-c', String(o.clients)];
  try {
    const args = [...fixed, ...length, ...variables, '-f', file, o.url];
    const { stdout } = await run(program, args);
    const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? NaN);
    if (!Number.isFinite(rate)) throw new Error(`pgbench said:\n${stdout}`);
    return rate;
  } finally {
    await rm(folder, { recursive: true });
  }
}
