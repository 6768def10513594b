import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { programFile } from '@gp/stack';
import { childEnv } from './child-env.ts';

export type End = { readonly code: number | null; readonly signal: string | null };

/** A service in its own process. */
export type ServiceProcess = {
  /** Its HTTP port; rejects when the process ends before it listens. */
  readonly port: Promise<number>;
  /** The port of its management server, once it has started; rejects when the process ends before. */
  readonly managementPort: Promise<number>;
  readonly ended: Promise<End>;
  /** Returns everything it has written so far. */
  output(): string;
  stop(signal?: NodeJS.Signals): Promise<End>;
};

/** Runs the program with this source as a process with exactly this environment. */
export function runProgram(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): { child: ChildProcessWithoutNullStreams; ended: Promise<End> } {
  const child = spawn(process.execPath, ['--no-warnings', programFile(file), ...args], {
    env: childEnv(env),
  });
  const ended = new Promise<End>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return { child, ended };
}

/** Starts the service with this main file. */
export function startService(main: string, env: Readonly<Record<string, string>>): ServiceProcess {
  const { child, ended } = runProgram(main, [], env);
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  const waiting = new Map<string, (port: number) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const [message, resolve] of waiting)
      if (line.includes(`"msg":"${message}`)) resolve((JSON.parse(line) as { port: number }).port);
  });
  const findPort = (message: string): Promise<number> => {
    const port = new Promise<number>((resolve, reject) => {
      waiting.set(message, resolve);
      void ended.then((how) => reject(new Error(`ended: ${JSON.stringify(how)} ${lines.join('\n')}`)));
    });
    // A test that only waits for the end need not read the port.
    port.catch(() => undefined);
    return port;
  };
  return {
    port: findPort('listening for HTTP'),
    managementPort: findPort('started"'),
    ended,
    output: () => lines.join('\n'),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}
