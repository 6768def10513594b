import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

export type MigrationFile = {
  /** Folder that owns the directory (`outbox`, `group-ledger`): the same on every machine, unlike a path. */
  readonly source: string;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  readonly isTransactional: boolean;
};

const FILE_NAME = /^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/;
const NUMBER_LENGTH = 4;

/**
 * Reads every directory's files in order. Throws on a name that is not `NNNN-kebab-case.sql`, a number used
 * twice, a file without its `--! expand` or `--! contract` line, and two directories of one source.
 */
export async function readMigrations(directories: readonly string[]): Promise<MigrationFile[]> {
  const sources = directories.map(toSourceName);
  const twice = sources.find((source, i) => sources.indexOf(source) !== i);
  if (twice !== undefined) throw new Error(`two migration directories belong to "${twice}"`);
  return (await Promise.all(directories.map(readDirectory))).flat();
}

const toSourceName = (directory: string): string => basename(dirname(resolve(directory)));

async function readDirectory(directory: string): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  names.forEach((name, i) => {
    if (!FILE_NAME.test(name))
      throw new Error(`migration ${join(directory, name)} must be called NNNN-name.sql`);
    if (parseMigrationNumber(name) === parseMigrationNumber(names[i - 1] ?? '')) {
      throw new Error(`migration number ${parseMigrationNumber(name)} is used twice in ${directory}`);
    }
  });
  return Promise.all(names.map((name) => readMigration(directory, name)));
}

const parseMigrationNumber = (name: string): string => name.slice(0, NUMBER_LENGTH);

async function readMigration(directory: string, name: string): Promise<MigrationFile> {
  const sql = await readFile(join(directory, name), 'utf8');
  const flags = [...sql.matchAll(/^--! *(.+?) *$/gm)].map((match) => match[1]);
  const phases = flags.filter((flag) => flag === 'expand' || flag === 'contract');
  if (phases.length !== 1) {
    throw new Error(`migration ${join(directory, name)} must say either "--! expand" or "--! contract"`);
  }
  return {
    source: toSourceName(directory),
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    isTransactional: !flags.includes('no-transaction'),
  };
}
