import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { copyFiles } from '../../support/copy-postgres.ts';

/** `node copy-files.ts`, in the space of the cluster: copies the files of the Postgres at POSTGRES_URL, which are in FROM, to TO, with their log. */
const { POSTGRES_URL = '', FROM = '', TO = '' } = process.env;
await copyFiles(POSTGRES_URL, FROM, TO);
execFileSync('cp', ['-a', `${join(FROM, 'pg_wal')}/.`, join(TO, 'pg_wal')]);
