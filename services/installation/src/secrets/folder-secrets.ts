import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { listPlanFaults, parsePlan } from './plan.ts';
import type { SecretStore } from './secret-store.ts';

type Values = Readonly<Record<string, string>>;

/** The file of a secret in its folder. */
const FILE = 'settings.env';
const SECRET = /^[a-z0-9-]{1,63}$/;
const KEY = /^[A-Z][A-Z0-9_]{0,63}$/;
/** What ends the text or the line of a value; in single quotes, Node and a shell read everything else as it is. */
const UNWRITABLE = /['\r\n]/;

/**
 * Opens the secrets in a folder. The keys of a secret are lines `KEY='value'` of `<folder>/<secret>/settings.env`, which
 * `node --env-file` reads and a shell; the owner and its group may read the file, and nobody may write it.
 */
export function openFolderSecrets(folder: string): SecretStore {
  const locate = (name: string): string => join(folder, name, FILE);
  return {
    async find(name) {
      const text = await readText(locate(name));
      return text === undefined ? undefined : { version: text, values: parseEnv(text) as Values };
    },
    async create(name, values) {
      const file = locate(name);
      await mkdir(dirname(file), { recursive: true, mode: 0o750 });
      return writeWhole(file, values, (fresh) =>
        link(fresh, file).then(() => true, ignoreCode('EEXIST', false)),
      );
    },
    async extend(name, version, values) {
      const file = locate(name);
      if ((await readText(file)) !== version) return false;
      const all = { ...(parseEnv(version) as Values), ...values };
      return writeWhole(file, all, (fresh) => rename(fresh, file).then(() => true));
    },
  };
}

/** Returns what is wrong with a plan in JSON for secrets in a folder, as sentences. */
export function listFolderPlanFaults(json: string): string[] {
  const faults = listPlanFaults(json);
  if (faults.length > 0) return faults;
  return Object.entries(parsePlan(json)).flatMap(([secret, keys]) => [
    ...(SECRET.test(secret) ? [] : [`PLAN: ${secret} cannot be the name of a folder`]),
    ...Object.entries(keys).flatMap(([key, recipe]) =>
      KEY.test(key) && !UNWRITABLE.test(recipe) ? [] : [`PLAN: ${secret}/${key} cannot be a line of a file`],
    ),
  ]);
}

/** Puts a whole file in its place: readers see the old one or the new one, never a part. */
async function writeWhole(
  file: string,
  values: Values,
  place: (fresh: string) => Promise<boolean>,
): Promise<boolean> {
  const fresh = `${file}.new`;
  const lines = Object.entries(values).map(([key, value]) => `${key}='${value}'\n`);
  await rm(fresh, { force: true });
  await writeFile(fresh, lines.join(''), { mode: 0o440 });
  try {
    return await place(fresh);
  } finally {
    await rm(fresh, { force: true });
  }
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(ignoreCode('ENOENT', undefined));
}

/** Returns a handler of rejections that turns the one with this code into a value. */
function ignoreCode<T>(code: string, value: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
    return value;
  };
}
