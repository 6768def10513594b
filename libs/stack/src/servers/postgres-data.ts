import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { canReach, type Account } from './account.ts';
import { linkElsewhere } from './elsewhere.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';

/** The folders of one server: `cluster` is Postgres' own data directory. */
export type PostgresHome = {
  readonly cluster: string;
  readonly logFile: string;
  readonly ownerFile: string;
  readonly pidFile: string;
  readonly keyFile: string;
  readonly certFile: string;
};

/** A certificate and its private key, as PEM. */
export type Certificate = { readonly key: string; readonly cert: string };

/**
 * Makes `dataDir` a place where the account can store a cluster. When the account cannot reach it at all (a
 * checkout below /root), the data lives in the temporary folder and `dataDir` becomes a link to it.
 */
export async function openHome(dataDir: string, account: Account | undefined): Promise<PostgresHome> {
  const wanted = resolve(dataDir);
  await mkdir(dirname(wanted), { recursive: true });
  if (account && !(await canReach(account, wanted)) && !(await exists(wanted))) {
    await linkElsewhere(wanted, account);
  }
  await mkdir(wanted, { recursive: true });
  const root = await realpath(wanted);
  if (account) await chown(root, account.uid, account.gid);
  const cluster = join(root, 'cluster');
  return {
    cluster,
    logFile: join(root, 'postgres.log'),
    ownerFile: join(root, 'owner'),
    pidFile: join(cluster, 'postmaster.pid'),
    keyFile: join(root, 'server.key'),
    certFile: join(root, 'server.crt'),
  };
}

/**
 * Creates the cluster unless it exists. It is built beside its place and renamed into it, so that an incomplete
 * cluster is never used. Rejects when the cluster is of another major version.
 */
export async function ensureCluster(o: {
  home: PostgresHome;
  binaries: PostgresBinaries;
  account: Account | undefined;
  superuserPassword: string;
  sync: boolean;
}): Promise<void> {
  const { cluster } = o.home;
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version !== undefined) {
    if (Number(version) === o.binaries.major) return;
    throw new Error(
      `${cluster} was made by Postgres ${version.trim()}; the installed one is ${o.binaries.major}. ` +
        `Move the folder away to start with an empty database.`,
    );
  }
  const draft = await mkdtemp(join(dirname(cluster), 'draft-'));
  const passwordFile = join(draft, 'password');
  try {
    await writeFile(passwordFile, o.superuserPassword, { mode: 0o600 });
    if (o.account) {
      await chown(draft, o.account.uid, o.account.gid);
      await chown(passwordFile, o.account.uid, o.account.gid);
    }
    await initdb(o, join(draft, 'cluster'), passwordFile);
    await rename(join(draft, 'cluster'), cluster);
    await chmod(cluster, 0o700);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Writes the server's certificate; Postgres refuses a key that others may read. */
export async function writeCertificate(
  { keyFile, certFile }: PostgresHome,
  { key, cert }: Certificate,
  account: Account | undefined,
): Promise<void> {
  await writeFile(certFile, cert);
  await writeFile(keyFile, key, { mode: 0o600 });
  if (account) await chown(keyFile, account.uid, account.gid);
}

async function initdb(
  o: { binaries: PostgresBinaries; account: Account | undefined; sync: boolean },
  directory: string,
  passwordFile: string,
): Promise<void> {
  const args = ['-D', directory, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  args.push('--encoding=UTF8', '--locale=C', ...(o.sync ? [] : ['--no-sync']));
  await promisify(execFile)(o.binaries.initdb, args, {
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    ...(o.account && { uid: o.account.uid, gid: o.account.gid }),
  }).catch((cause: unknown) => {
    const { stderr } = cause as { stderr?: string };
    throw new Error(`initdb could not make ${directory}: ${stderr?.trim() ?? String(cause)}`, { cause });
  });
}

async function exists(path: string): Promise<boolean> {
  // A link whose target was removed from the temporary folder counts as absent.
  if (!(await lstat(path).catch(() => undefined))) return false;
  return realpath(path).then(
    () => true,
    () => false,
  );
}
