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

/** Transactions per second of one prepared statement, `clients` at a time, from one thread. */
export async function transactionsPerSecond(
  program: string,
  o: { url: string; sql: string; seconds: number; clients: number },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'gp-pgbench-'));
  const script = join(folder, 'statement.sql');
  // pgbench reads `:name` as a variable of its own, inside JSON literals too.
  await writeFile(script, o.sql.replaceAll(/:(?=[\w"])(?<!::)/g, ': ') + ';\n');
  try {
    const args = [
      '-n',
      '-M',
      'prepared',
      '-j',
      '1',
      '-c',
      String(o.clients),
      '-T',
      String(o.seconds),
      '-f',
      script,
      o.url,
    ];
    const { stdout } = await run(program, args);
    const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? NaN);
    if (!Number.isFinite(rate)) throw new Error(`pgbench said:\n${stdout}`);
    return rate;
  } finally {
    await rm(folder, { recursive: true });
  }
}
