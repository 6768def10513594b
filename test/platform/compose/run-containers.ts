import { setTimeout as delay } from 'node:timers/promises';
import { readComposeFile } from './compose-file.ts';

export type Ended = { readonly code: number | null; readonly out: string; readonly errors: string };

/** A container that goes on. */
export type Serving = {
  /** Asks it to end. Resolves with its exit code. */
  stop(): Promise<number | null>;
};

/** What runs the containers of the compose file. */
export type Host = {
  /** Runs a container to its end, with further words of its command. */
  run(name: string, words: readonly string[]): Promise<Ended>;
  /** Starts a container that goes on. Resolves when it is healthy; rejects when it ends before, or takes too long. */
  serve(name: string): Promise<Serving>;
  /** Ends whatever still runs, and removes the data. */
  remove(): Promise<void>;
};

/** The containers of the compose file. */
export type Containers = {
  /** Starts them in their order and resolves when what goes on is healthy and what ends has ended well. */
  up(): Promise<void>;
  /** Runs a container once more, with further words of its command. */
  run(name: string, ...words: readonly string[]): Promise<Ended>;
  /** Asks these containers to end. Resolves with their exit codes. */
  stop(names: readonly string[]): Promise<Readonly<Record<string, number | null>>>;
  /** Ends the servers and whatever else runs, and removes the data. */
  remove(): Promise<void>;
};

/** How long a container may take until it is healthy, and how often its health check runs until then, ms. */
const HEALTHY_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 1_000;

/** Runs the containers of the compose file on a host, in the order that the file gives. */
export function openContainers(host: Host): Containers {
  const { services } = readComposeFile();
  const reached = new Map<string, Promise<Serving | undefined>>();

  /** Resolves when a container is healthy, or has ended well: a container that others wait for has one of the two. */
  function reach(name: string): Promise<Serving | undefined> {
    const found = reached.get(name) ?? launch(name);
    reached.set(name, found);
    return found;
  }

  async function launch(name: string): Promise<Serving | undefined> {
    const { depends_on: needed = {}, restart } = services[name]!;
    await Promise.all(Object.keys(needed).map(reach));
    if (restart !== undefined) return host.serve(name);
    const { code, out, errors } = await host.run(name, []);
    if (code !== 0) throw new Error(`${name} ended with ${code}:\n${out}${errors}`);
    return undefined;
  }

  return {
    async up() {
      const own = Object.keys(services).filter((name) => !services[name]!.profiles);
      await Promise.all(own.map(reach));
    },
    run: (name, ...words) => host.run(name, words),
    async stop(names) {
      const codes = names.map(async (name) => [name, (await (await reach(name))?.stop()) ?? null] as const);
      return Object.fromEntries(await Promise.all(codes));
    },
    remove: () => host.remove(),
  };
}

/**
 * Resolves when a look finds a container healthy. Rejects with `explain()` when it has ended before, and when it takes too
 * long.
 */
export async function becomesHealthy(o: {
  readonly isHealthy: () => Promise<boolean>;
  readonly hasEnded: () => boolean | Promise<boolean>;
  readonly explain: () => Promise<string>;
}): Promise<void> {
  for (const giveUpAt = Date.now() + HEALTHY_WITHIN_MS; ; await delay(LOOK_EVERY_MS)) {
    if (await o.isHealthy()) return;
    if ((await o.hasEnded()) || Date.now() > giveUpAt) throw new Error(await o.explain());
  }
}
