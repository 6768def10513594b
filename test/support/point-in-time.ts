import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { TimeoutError } from '@gp/testing';
import pg from 'pg';
import { copyFiles } from './copy-postgres.ts';
import type { OwnStack } from './own-stack.ts';

const run = promisify(execFile);

/** A copy of a running database with the log since, from which it can be brought back as it was at any instant. */
export type Backup = {
  /** The database's own clock, with everything committed until now behind it. */
  now(): Promise<string>;
  /** Waits until what was written so far is in the archive. */
  archived(): Promise<void>;
  /** Takes the cluster away for good; the server has to be down. */
  lose(): Promise<void>;
  /** Puts the copy in its place, to be replayed up to this instant at the next start. */
  restore(instant: string): Promise<void>;
};

/**
 * Begins to archive the log of a stack's Postgres, and copies its files while it goes on. The server is started anew
 * for it once.
 */
export async function backUp({ dataDir, opened, stack }: OwnStack): Promise<Backup> {
  const home = await realpath(join(dataDir, 'postgres'));
  const [cluster, archive, copy] = ['cluster', 'archive', 'copy'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  const owner = await stat(cluster);
  await mkdir(archive);
  await chown(archive, owner.uid, owner.gid);
  const ask = <T extends pg.QueryResultRow>(sql: string) => query<T>(stack.postgres, sql);
  await ask('alter system set archive_mode = on');
  await ask(`alter system set archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`);
  const server = opened.processes.get('postgres');
  await server?.stop();
  await server?.start();
  await copyFiles(stack.postgres, cluster, copy);

  return {
    async now() {
      return (await ask<{ now: string }>('select clock_timestamp()::text as now'))[0]?.now ?? '';
    },
    async archived() {
      // A switch writes nothing when nothing was written since the last one: then a mark makes it.
      const sql = 'select pg_walfile_name(pg_switch_wal()) as name';
      await ask('select pg_create_restore_point($$end of the drill$$)');
      const name = (await ask<{ name: string }>(sql))[0]?.name ?? '';
      const isThere = () => stat(join(archive, name)).then(Boolean, () => false);
      for (const giveUpAt = Date.now() + 30_000; !(await isThere()); await delay(50))
        if (Date.now() > giveUpAt) throw new TimeoutError(`${name} was not archived`);
    },
    lose: () => rm(cluster, { recursive: true }),
    async restore(instant) {
      await run('cp', ['-a', copy, cluster]);
      const settings = [
        `restore_command = 'cp ${archive}/%f %p'`,
        `recovery_target_time = '${instant}'`,
        "recovery_target_action = 'promote'",
        "archive_mode = 'off'",
      ];
      await appendFile(join(cluster, 'postgresql.auto.conf'), settings.join('\n') + '\n');
      const signal = join(cluster, 'recovery.signal');
      await writeFile(signal, '');
      await chown(signal, owner.uid, owner.gid);
    },
  };
}

async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}
