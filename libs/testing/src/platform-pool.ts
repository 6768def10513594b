import type { DemoMerchant } from '@gp/stack';
import type { Platform } from './platform.ts';

/** A loan to a test file: a running platform that others use too, and merchants of its own. */
export type Loan = {
  readonly id: number;
  /** The folder of the platform's `stack.json`. */
  readonly dataDir: string;
  readonly merchants: readonly DemoMerchant[];
};

type Settings = Readonly<Record<string, string>>;

/** What a test file wants to borrow. */
export type PlatformWish = {
  /** The gateways of the merchants to create: that of each one, `multi` for all of them, null for none. */
  readonly merchants: readonly DemoMerchant['gateway'][];
  /** Settings of its services (`GP_SET_<NAME>`); files with the same ones share a platform. */
  readonly settings?: Settings;
};

export type PlatformPool = {
  /** Lends the platform with the wanted settings, which it starts when there is none. */
  lend(wish: PlatformWish): Promise<Loan>;
  /** Ends a loan. A platform that has not been borrowed for a while is stopped. */
  giveBack(id: number): void;
  /** Stops every platform. */
  close(): Promise<void>;
};

type Shared = {
  readonly key: string;
  readonly platform: Promise<Platform>;
  loans: number;
  idle?: NodeJS.Timeout;
};

/**
 * Long enough until the next file of the same worker borrows, short enough to free the memory for the rest of a
 * run.
 */
const IDLE_MS = 20_000;

/**
 * Lends platforms to test files, one for each set of settings. Every loan has its own demo merchants, which
 * separates the files as tenants of the platform are separated.
 */
export function openPlatformPool(
  open: (settings: Settings) => Promise<Platform>,
  { idleMs = IDLE_MS }: { readonly idleMs?: number } = {},
): PlatformPool {
  const running = new Map<string, Shared>();
  const loans = new Map<number, Shared>();
  const stopping = new Set<Promise<void>>();
  let lastId = 0;

  const start = (key: string, settings: Settings): Shared => {
    const shared: Shared = { key, platform: open(settings), loans: 0 };
    running.set(key, shared);
    shared.platform.catch(() => running.delete(key));
    return shared;
  };
  const stop = ({ key, platform }: Shared): void => {
    running.delete(key);
    const stopped = platform.then(
      (each) => each.close(),
      () => undefined,
    );
    stopping.add(stopped);
  };
  const leave = (shared: Shared): void => {
    shared.loans -= 1;
    const isIdle = shared.loans === 0 && running.get(shared.key) === shared;
    if (isIdle) shared.idle = setTimeout(() => stop(shared), idleMs);
  };

  return {
    async lend({ merchants, settings = {} }) {
      const key = JSON.stringify(Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      const shared = running.get(key) ?? start(key, settings);
      clearTimeout(shared.idle);
      shared.loans += 1;
      try {
        const { opened, dataDir } = await shared.platform;
        const loan = { id: (lastId += 1), dataDir, merchants: await opened.newMerchants(merchants) };
        loans.set(loan.id, shared);
        return loan;
      } catch (error) {
        leave(shared);
        throw error;
      }
    },
    giveBack(id) {
      const shared = loans.get(id);
      if (loans.delete(id) && shared) leave(shared);
    },
    async close() {
      for (const shared of running.values()) {
        clearTimeout(shared.idle);
        stop(shared);
      }
      await Promise.all(stopping);
    },
  };
}
