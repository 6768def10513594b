import { execFileSync } from 'node:child_process';

/** A step that this machine cannot do, which is no fault of the project: the run ends with NOT RUN. */
export class Unavailable extends Error {}

export type Settings = {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
  /** Keeps what the command says of its errors in the error that is thrown. */
  readonly quiet?: boolean;
};

/** Runs a command and returns what it prints; its errors go to this process' own. Throws when it fails. */
export function run(
  command: string,
  args: readonly string[],
  { env, quiet, ...settings }: Settings = {},
): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', quiet ? 'pipe' : 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
    ...settings,
    ...(env && { env: { ...process.env, ...env } }),
  });
}

/** Runs a command and shows what it prints. Throws when it fails. */
export function show(
  command: string,
  args: readonly string[],
  { env, quiet: _, ...settings }: Settings = {},
): void {
  execFileSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    ...settings,
    ...(env && { env: { ...process.env, ...env } }),
  });
}

/** One line about a step that begins, with the seconds since the command was given. */
export function say(line: string): void {
  process.stdout.write(
    `[${performance.now() / 1_000 < 1 ? 0 : Math.round(performance.now() / 1_000)} s] ${line}\n`,
  );
}
