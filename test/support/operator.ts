import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnv, programFile } from '@gp/testing';
import { root, type StackFile } from './stack.ts';

const run = promisify(execFile);

/** Runs a command of the operator's command line against a stack and returns its output. */
export async function operator<T = Record<string, unknown>>(
  stack: StackFile,
  ...args: readonly string[]
): Promise<T> {
  const cli = join(root, 'services/operator/src/cli.ts');
  const env = childEnv({ NATS_URL: stack.nats, NATS_NKEY_SEED: stack.nats_seeds.operator });
  const { stdout } = await run(process.execPath, ['--no-warnings', programFile(cli), ...args, '--json'], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as T;
}
