import { readFile, stat } from 'node:fs/promises';
import { dirname, parse } from 'node:path';

/** The user a server process runs as when we are root. */
export type Account = { readonly name: string; readonly uid: number; readonly gid: number };

/**
 * Returns the account to run Postgres under: `undefined` when we are not root ourselves, because then our own
 * account is enough. Postgres refuses to run as root, so root uses `nobody`, which every Linux has.
 */
export async function unprivilegedAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = await readFile('/etc/passwd', 'utf8');
  const fields = users
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody');
  const [name, , uid, gid] = fields ?? [];
  if (name === undefined || !uid || !gid) {
    throw new Error('Postgres does not run as root, and this machine has no user "nobody" to run it as.');
  }
  return { name, uid: Number(uid), gid: Number(gid) };
}

/**
 * Returns whether the account may enter every folder above `path`. The usual reason why it may not is a checkout
 * below /root, whose mode is 0700.
 */
export async function canReach(account: Account, path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!(await mayEnter(account, folder))) return false;
    if (folder === parse(folder).root) return true;
  }
}

async function mayEnter(account: Account, folder: string): Promise<boolean> {
  const { mode, uid, gid } = await stat(folder);
  if (uid === account.uid) return (mode & 0o100) !== 0;
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
