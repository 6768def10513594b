import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How one process of the stack is started. */
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

/** Anything the stack keeps alive: a service process, or a server with its own way to start. */
export type Supervised = {
  readonly name: string;
  describe(): ProcessState;
  /** Starts it when it is down; `env` adds to its environment until the next `stop`. */
  start(env?: NodeJS.ProcessEnv): Promise<void>;
  /** Ends it politely, then for good; it stays down until `start`. */
  stop(): Promise<void>;
  /** `kill -9`, as a crash: it comes back by itself. */
  kill(): Promise<void>;
};

/** First restart comes at once, a process that keeps dying is tried again at least every 2 s. */
const RESTART_DELAYS_MS = [50, 200, 500, 1_000, 2_000];
/** A process that lived this long starts the ladder anew. */
const HEALTHY_AFTER_MS = 10_000;
const STOP_GRACE_MS = 28_000;

/** Keeps one process alive: whatever ends it, except `stop`, it is started again within 2 s. */
export function superviseProcess(
  spec: ProcessSpec,
  onLine: (name: string, line: string) => void,
): Supervised {
  let child: ChildProcess | undefined;
  let wanted = false;
  let added: NodeJS.ProcessEnv = {};
  let restarts = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  const launch = () => {
    const startedAt = Date.now();
    const running = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: { ...spec.env, ...added },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = running;
    forwardLines(running, (line) => onLine(spec.name, line));
    running.once('exit', () => {
      child = undefined;
      if (!wanted) return;
      failures = Date.now() - startedAt > HEALTHY_AFTER_MS ? 0 : failures + 1;
      restarts += 1;
      const delay = RESTART_DELAYS_MS[Math.min(failures, RESTART_DELAYS_MS.length - 1)];
      timer = setTimeout(launch, delay);
    });
  };

  return {
    name: spec.name,
    describe: () => ({
      name: spec.name,
      pid: child?.pid ?? null,
      state: child ? 'running' : wanted ? 'restarting' : 'stopped',
      restarts,
    }),
    start(env = {}) {
      if (!wanted) {
        wanted = true;
        added = env;
        launch();
      }
      return Promise.resolve();
    },
    async stop() {
      wanted = false;
      clearTimeout(timer);
      if (child) await endProcess(child);
    },
    async kill() {
      const running = child;
      if (running && running.exitCode === null && running.kill('SIGKILL')) await once(running, 'exit');
    },
  };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const lastResort = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
  await ended;
  clearTimeout(lastResort);
}

function forwardLines(child: ChildProcess, onLine: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLine);
    });
    stream?.on('end', () => {
      if (rest !== '') onLine(rest);
    });
  }
}
