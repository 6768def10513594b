import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createDataFolder, eventually } from '@gp/testing';
import { openOwnStack, type OwnStack } from '../../support/own-stack.ts';
import type { Profile } from './samples.ts';

/** Within this time each process has begun its profile. */
const BEGUN_WITHIN_MS = 1_000;

/** A stack of its own whose services can be profiled. */
export type ProfiledStack = AsyncDisposable & {
  readonly own: OwnStack;
  /** Profiles each service while the work is done; returns the profiles by service. */
  profile(work: () => Promise<unknown>): Promise<ReadonlyMap<string, Profile>>;
};

export async function openProfiledStack(): Promise<ProfiledStack> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.adopt(await createDataFolder(), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const own = await openOwnStack({
    GP_SET_NODE_ENV: 'production',
    GP_SET_PROFILE_FOLDER: folder,
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'profiler.ts')).href}`,
  });
  opening.defer(() => own.close());
  const opened = opening.move();
  const services = Object.entries(own.stack.services).map(([name, { pid }]) => ({ name, pid }));
  const signalAll = (): void => services.forEach(({ pid }) => process.kill(pid, 'SIGUSR2'));
  return {
    own,
    async profile(work) {
      signalAll();
      await delay(BEGUN_WITHIN_MS);
      await work();
      signalAll();
      const read = async ({ name, pid }: (typeof services)[number]) => {
        const file = join(folder, `${pid}.cpuprofile`);
        const text = await eventually(() => readFile(file, 'utf8'));
        await rm(file);
        return [name, JSON.parse(text) as Profile] as const;
      };
      return new Map(await Promise.all(services.map(read)));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
