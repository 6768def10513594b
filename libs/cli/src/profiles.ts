import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFailure, EXIT } from './failure.ts';
import type { Shell } from './shell.ts';

/** An account as it is stored. */
export type Profile = {
  readonly key: string;
  readonly url: string;
};

type Stored = { readonly current: string; readonly profiles: Readonly<Record<string, Profile>> };

const NOTHING: Stored = { current: 'default', profiles: {} };
/** A name that can stand on a command line. */
export const PROFILE_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** Returns the file of the profiles: below XDG_CONFIG_HOME, which is ~/.config where it is not set. */
export function findFile(env: Shell['env']): string {
  const given = env['XDG_CONFIG_HOME'];
  const folder =
    given !== undefined && given.startsWith('/') ? given : join(env['HOME'] ?? homedir(), '.config');
  return join(folder, 'group-payments', 'profiles.json');
}

/** Reads the stored profiles. Rejects with a CommandFailure for a file that is not as `gp login` wrote it. */
export async function readProfiles(shell: Pick<Shell, 'env' | 'err'>): Promise<Stored> {
  const file = findFile(shell.env);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new CommandFailure(`${file} cannot be read: ${message}`, EXIT.credentials);
  });
  if (text === undefined) return NOTHING;
  await closeToOthers(shell, file);
  const stored = parseStored(text);
  if (!stored) throw new CommandFailure(`${file} is damaged; delete it and log in again`, EXIT.credentials);
  return stored;
}

/** Takes the file's read permission from other users and warns that they may know its keys. */
async function closeToOthers({ err }: Pick<Shell, 'err'>, file: string): Promise<void> {
  const { mode } = await stat(file);
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  await chmod(file, 0o600);
  err(`${file} could be read by others and is closed to them now; consider its keys as known.\n`);
}

function parseStored(text: string): Stored | undefined {
  try {
    const { current, profiles } = JSON.parse(text) as Partial<Stored>;
    const isWhole = Object.values(profiles ?? { none: undefined }).every(
      (profile) => typeof profile?.key === 'string' && typeof profile.url === 'string',
    );
    return typeof current === 'string' && profiles && isWhole ? { current, profiles } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the profiles so that only the user can read them, and a reader sees the old file or the new one. */
async function writeProfiles({ env }: Pick<Shell, 'env'>, stored: Stored): Promise<void> {
  const file = findFile(env);
  const draft = `${file}.${process.pid}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${JSON.stringify(stored, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new CommandFailure(
      `${file} cannot be written: ${error instanceof Error ? error.message : 'unknown'}`,
    );
  }
}

/** Stores a profile, which becomes the current one where `isCurrent` says so. */
export async function storeProfile(
  shell: Pick<Shell, 'env' | 'err'>,
  name: string,
  profile: Profile,
  { isCurrent }: { isCurrent: boolean },
): Promise<void> {
  const { current, profiles } = await readProfiles(shell);
  await writeProfiles(shell, {
    current: isCurrent ? name : current,
    profiles: { ...profiles, [name]: profile },
  });
}

/** Makes a profile the current one. */
export async function useProfile(shell: Pick<Shell, 'env' | 'err'>, name: string): Promise<void> {
  const { profiles } = await readProfiles(shell);
  if (!Object.hasOwn(profiles, name)) throw noProfile(name, Object.keys(profiles));
  await writeProfiles(shell, { current: name, profiles });
}

/** Forgets a profile; returns false where there was none. */
export async function forgetProfile(shell: Pick<Shell, 'env' | 'err'>, name: string): Promise<boolean> {
  const { current, profiles } = await readProfiles(shell);
  if (!Object.hasOwn(profiles, name)) return false;
  const left = Object.fromEntries(Object.entries(profiles).filter(([other]) => other !== name));
  const next = current === name ? (Object.keys(left)[0] ?? 'default') : current;
  await writeProfiles(shell, { current: next, profiles: left });
  return true;
}

export function noProfile(name: string, known: readonly string[]): CommandFailure {
  const others = known.length > 0 ? ` There are: ${known.join(', ')}.` : '';
  return new CommandFailure(
    `There is no profile ${name}.${others} \`gp login --profile ${name}\` makes it.`,
    EXIT.credentials,
  );
}
