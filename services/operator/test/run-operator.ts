import { fileURLToPath } from 'node:url';
import { runProgram } from '@gp/testing';

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));

/** Runs one command of the command line to its end, with exactly this environment and standard input. */
export async function runOperator(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
) {
  const { child, ended } = runProgram(cli, args, env);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  // A command that reads nothing may be gone before we have written.
  child.stdin.on('error', () => undefined).end(input);
  const { code } = await ended;
  return { code, out, err };
}
