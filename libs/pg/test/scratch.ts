import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabase, type TestDatabase } from '@gp/testing';
import { openPg, type Db } from '../src/index.ts';

export const SCHEMA = 'trial';

export type Trial = {
  database: TestDatabase;
  db: Db;
  open(max?: number): Promise<Db>;
  close(): Promise<void>;
};

/** Opens an empty schema, and a pool that acts as its owner; all pools opened here are closed together. */
export async function openTrial(): Promise<Trial> {
  const database = await testDatabase({ schemas: [{ schema: SCHEMA, directories: [] }] });
  const opened: Db[] = [];
  const open = async (max = 2): Promise<Db> => {
    const db = await openPg({ url: database.ownerUrl(SCHEMA), name: 'trial', max, connectTimeoutMs: 30_000 });
    opened.push(db);
    return db;
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((db) => db.close()));
    await database.drop();
  };
  return { database, db: await open(), open, close };
}

export type ScratchFolder = {
  /** Writes exactly these files as the migrations of `source` and returns their directory. */
  write(source: string, files: Record<string, string>): Promise<string>;
  clear(): Promise<void>;
};

/** A place for migration directories that belong to no package. */
export async function scratchFolder(): Promise<ScratchFolder> {
  const root = await mkdtemp(join(tmpdir(), 'group-payments-migrations-'));
  return {
    async write(source, files) {
      const directory = join(root, source, 'migrations');
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory, { recursive: true });
      for (const [name, sql] of Object.entries(files)) await writeFile(join(directory, name), sql);
      return directory;
    },
    clear: () => rm(root, { recursive: true, force: true }),
  };
}

/** Returns the reason of a rejection; fails the test when there was none. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  const failed = await work.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (failed === undefined) throw new Error('it was not rejected');
  return failed.error;
}
