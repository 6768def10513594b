import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { eventually } from '@gp/testing';
import { run } from '../src/run.ts';

type Printed = { out: string; err: string };
type Line = [args: readonly string[], env?: Record<string, string>, input?: string];

export type CliHome = Awaited<ReturnType<typeof openHome>>;

/** Opens a folder for profiles, and runs command lines with it. */
export async function openHome() {
  const folder = await mkdtemp(join(tmpdir(), 'gp-cli-'));
  /** Starts a command line; `interrupt` ends it as Ctrl-C does. */
  const start = (...[args, env = {}, input = '']: Line) => {
    const printed: Printed = { out: '', err: '' };
    const ended = new AbortController();
    const exitCode = run(args, {
      version: '0.0.0',
      env: { XDG_CONFIG_HOME: folder, ...env },
      stdin: Readable.from([input]),
      isTerminal: false,
      out: (text) => void (printed.out += text),
      err: (text) => void (printed.err += text),
      signal: ended.signal,
    });
    return {
      until: (holds: (now: Printed) => boolean) => eventually(() => holds(printed) || undefined),
      interrupt: () => ended.abort(),
      end: async () => ({ exitCode: await exitCode, ...printed }),
    };
  };
  return {
    /** The file of the profiles. */
    file: join(folder, 'group-payments', 'profiles.json'),
    start,
    /** Runs a command line to its end. */
    gp: (...line: Line) => start(...line).end(),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
