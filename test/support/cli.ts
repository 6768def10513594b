import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { run } from '@group-payments/cli';
import { eventually } from '@gp/testing';

export type Ended = { readonly exitCode: number; readonly out: string; readonly err: string };
export type Running = {
  /** Waits until what was printed so far fits. */
  until(fits: (printed: { out: string; err: string }) => boolean): Promise<{ out: string; err: string }>;
  /** Ends it as Ctrl-C does. */
  interrupt(): Promise<Ended>;
};
export type Cli = Awaited<ReturnType<typeof openCli>>;

/** The command line in this process, with a home of its own. */
export async function openCli() {
  const home = await mkdtemp(join(tmpdir(), 'gp-cli-'));
  function begin(
    args: readonly string[],
    input = '',
  ): { printed: { out: string; err: string }; stop: AbortController; ended: Promise<Ended> } {
    const printed = { out: '', err: '' };
    const stop = new AbortController();
    const shell = {
      version: '0.0.0',
      env: { XDG_CONFIG_HOME: home },
      stdin: Readable.from([input]),
      isTerminal: false,
      out: (text: string) => void (printed.out += text),
      err: (text: string) => void (printed.err += text),
      signal: stop.signal,
    };
    return { printed, stop, ended: run(args, shell).then((exitCode) => ({ exitCode, ...printed })) };
  }
  const gp = (args: readonly string[], input?: string): Promise<Ended> => begin(args, input).ended;
  return {
    gp,
    /** Runs a command that has to succeed, and returns its JSON. */
    async json<T>(args: readonly string[]): Promise<T> {
      const { exitCode, out, err } = await gp([...args, '--json']);
      if (exitCode !== 0) throw new Error(`gp ${args.join(' ')} ended with ${exitCode}: ${err}`);
      return JSON.parse(out) as T;
    },
    /** Starts a command that runs until it is interrupted. */
    start(args: readonly string[]): Running {
      const { printed, stop, ended } = begin(args);
      return {
        until: (fits) => eventually(() => Promise.resolve(fits(printed) ? { ...printed } : undefined)),
        async interrupt() {
          stop.abort();
          return ended;
        },
      };
    },
    close: () => rm(home, { recursive: true, force: true }),
  };
}
