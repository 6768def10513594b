import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedServer } from './servers/postgres.ts';
import type { Supervised } from './supervisor.ts';

const RESTART_DELAY_MS = 300;

/** Keeps an embedded server (Postgres, NATS) alive like any other process of the stack. */
export function superviseServer(name: string, open: () => Promise<EmbeddedServer>): Supervised {
  let server: EmbeddedServer | undefined;
  let wanted = false;
  let restarts = 0;
  // Opening takes a while; later calls wait for it, so that no server is opened twice or left behind.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };

  const launch = async () => {
    if (!wanted || server) return;
    const opened = await open();
    server = opened;
    void opened.exited.then(() => {
      server = undefined;
      if (wanted) void relaunch();
    });
  };
  const relaunch = async () => {
    restarts += 1;
    while (wanted && !server) {
      await delay(RESTART_DELAY_MS);
      await inTurn(launch).catch(() => undefined);
    }
  };

  return {
    name,
    describe: () => ({
      name,
      pid: server?.pid ?? null,
      state: server ? 'running' : wanted ? 'restarting' : 'stopped',
      restarts,
    }),
    start() {
      wanted = true;
      return inTurn(async () => {
        await launch().catch((error: unknown) => {
          wanted = false;
          throw error;
        });
      });
    },
    stop() {
      wanted = false;
      return inTurn(async () => server?.stop());
    },
    kill: () => inTurn(async () => server?.kill()),
  };
}
