import { join } from 'node:path';
import { here } from '../paths.ts';
import { inside } from '../space.ts';
import { findAddress, readSecret } from './cluster.ts';

/** The address of the release's Postgres for its administrator, as the space of the cluster has it. */
export function findPostgres(): string {
  const url = new URL(readSecret('admin-url'));
  url.hostname = findAddress('postgres');
  return url.href;
}

/** Runs statements in a Postgres as its administrator, and returns the rows of the last one. */
export function askPostgres<T>(statements: string, url = findPostgres()): readonly T[] {
  const env = { POSTGRES_URL: url };
  const program = ['--no-warnings', join(here, 'drills/ask-postgres.ts')];
  return JSON.parse(inside(process.execPath, program, { env, input: statements })) as T[];
}
