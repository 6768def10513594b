import type { EmbeddedServer } from './servers/postgres.ts';
import type { Supervised } from './supervisor.ts';

const RESTART_DELAY_MS = 300;

/** Keeps an embedded server (Postgres, NATS) alive like any other process of the stack. */
export function superviseServer(name: string, open: () => Promise<EmbeddedServer>): Supervised {
  let server: EmbeddedServer | undefined;
  let wanted = false;
  let restarts = 0;

  const launch = async () => {
    const opened = await open();
    server = opened;
    void opened.exited.then(() => {
      server = undefined;
      if (wanted) void relaunch();
    });
  };
  const relaunch = async () => {
    restarts += 1;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
      if (!wanted || server) return;
      if (await launch().then(...settled)) return;
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
    async start() {
      if (wanted) return;
      wanted = true;
      await launch();
    },
    async stop() {
      wanted = false;
      await server?.stop();
    },
    async kill() {
      await server?.kill();
    },
  };
}

const settled = [() => true, () => false] as const;
