import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { here } from '../paths.ts';
import { inside } from '../space.ts';
import { findPostgres } from './postgres.ts';

/** Where the files of Postgres are in its volume. */
export const DATA = '18/docker';

/**
 * Copies the files of the release's Postgres while it goes on, with the log that makes them whole; what was committed before it begins
 * is in the copy. Stands for pg_basebackup, which the packaged Postgres lacks.
 */
export function copyPostgres(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  const env = { POSTGRES_URL: findPostgres(), FROM: from, TO: to };
  inside(process.execPath, ['--no-warnings', join(here, 'drills/copy-files.ts')], { env });
}
