import { spawn } from 'node:child_process';
import { dyingWithUs } from './dying-with-us.ts';
import { readLines } from './lines.ts';

/** The start of one process of the stack. */
export type ProcessSpec = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
};

export type ProcessState = {
  readonly name: string;
  readonly pid: number | null;
  readonly state: 'running' | 'stopped' | 'restarting';
  readonly restarts: number;
};

/** A part that the stack keeps alive: a service process, or a server with its own way to start. */
export type Supervised = {
  readonly name: string;
  describe(): ProcessState;
  /** Starts it when it is down; `env` adds to its environment until the next `stop`. */
  start(env?: NodeJS.ProcessEnv): Promise<void>;
  /** Ends it with a signal first, then by force; it stays down until `start`. */
  stop(): Promise<void>;
  /** `kill -9`, as in a crash: it is restarted. */
  kill(): Promise<void>;
};

export type SuperviseOptions = {
  /** Called with every line it writes. */
  readonly onLine: (name: string, line: string) => void;
  /** Called after each start, the first one included. */
  readonly onStart?: () => void;
};

/** The first restart comes at once, and a process that keeps dying is still up again within 2 s. */
const RESTART_DELAYS_MS = [50, 200, 500, 1_000, 1_500];
/** After a process lived this long, its restart delays begin again with the first. */
const HEALTHY_AFTER_MS = 10_000;
/** Longer than any service needs to finish the work in hand. */
const STOP_GRACE_MS = 28_000;

/** One run of the process: from its start to the end of its last line. */
type Life = {
  readonly pid: number | null;
  readonly ended: Promise<void>;
  signal(name: NodeJS.Signals): void;
};

/** Keeps one process alive: after any end except by `stop`, it is started again within 2 s. */
export function superviseProcess(spec: ProcessSpec, o: SuperviseOptions): Supervised {
  let life: Life | undefined;
  let wanted = false;
  let added: NodeJS.ProcessEnv = {};
  let restarts = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  const launch = () => {
    const startedAt = Date.now();
    const current = live(spec, added, (line) => o.onLine(spec.name, line));
    life = current;
    o.onStart?.();
    void current.ended.then(() => {
      life = undefined;
      // A stop caused this end; a start that came meanwhile waits for it and launches by itself.
      if (!wanted || stopping) return;
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) failures = 0;
      timer = setTimeout(launch, RESTART_DELAYS_MS[Math.min(failures, RESTART_DELAYS_MS.length - 1)]);
      failures += 1;
      restarts += 1;
    });
  };
  let stopping: Promise<void> | undefined;

  return {
    name: spec.name,
    describe: () => ({
      name: spec.name,
      pid: life?.pid ?? null,
      state: life ? 'running' : wanted ? 'restarting' : 'stopped',
      restarts,
    }),
    async start(env = {}) {
      if (wanted) return;
      wanted = true;
      added = env;
      await stopping;
      if (wanted && !life) launch();
    },
    stop() {
      wanted = false;
      clearTimeout(timer);
      stopping ??= (life ? endPolitely(life) : Promise.resolve()).finally(() => (stopping = undefined));
      return stopping;
    },
    async kill() {
      const current = life;
      current?.signal('SIGKILL');
      await current?.ended;
    },
  };
}

/** Starts the process: it gets no Ctrl-C meant for us, but never outlives us. */
function live(spec: ProcessSpec, added: NodeJS.ProcessEnv, onLine: (line: string) => void): Life {
  const [command, args] = dyingWithUs('KILL', spec.command, spec.args);
  const child = spawn(command, args, {
    cwd: spec.cwd,
    env: { ...spec.env, ...added },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  readLines(child.stdout, onLine);
  readLines(child.stderr, onLine);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', (error) => {
      onLine(`could not be started: ${error.message}`);
      resolve();
    });
  });
  return { pid: child.pid ?? null, ended, signal: (name) => void child.kill(name) };
}

async function endPolitely(life: Life): Promise<void> {
  life.signal('SIGTERM');
  const lastResort = setTimeout(() => life.signal('SIGKILL'), STOP_GRACE_MS);
  await life.ended;
  clearTimeout(lastResort);
}
