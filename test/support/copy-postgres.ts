import { execFile } from 'node:child_process';
import { chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/**
 * Copies the files of a running Postgres, without its log. They may change while they are copied: the log between the two calls makes
 * them whole again.
 */
export async function copyFiles(url: string, cluster: string, copy: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('drill', true)");
    // A file that vanishes meanwhile is as good as copied.
    await run('cp', ['-a', cluster, copy]).catch(() => undefined);
    const { rows } = await client.query<{ label: string }>(
      'select labelfile as label from pg_backup_stop(false)',
    );
    const owner = await stat(cluster);
    await rm(join(copy, 'pg_wal'), { recursive: true });
    await rm(join(copy, 'postmaster.pid'));
    await mkdir(join(copy, 'pg_wal'), { mode: 0o700 });
    const label = join(copy, 'backup_label');
    await writeFile(label, rows[0]?.label ?? '');
    for (const path of [label, join(copy, 'pg_wal')]) await chown(path, owner.uid, owner.gid);
  } finally {
    await client.end();
  }
}
