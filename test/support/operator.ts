import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnv, programFile } from '@gp/testing';
import { root, type StackFile } from './stack.ts';

const run = promisify(execFile);

/** Runs a command of the operators' command line against a stack, with the stack's own key, and returns its output. */
export async function operator<T = Record<string, unknown>>(
  stack: StackFile,
  ...args: readonly string[]
): Promise<T> {
  const cli = join(root, 'services/operator/src/cli.ts');
  const identity = { NATS_URL: stack.nats, NATS_NKEY_SEED: stack.nats_seeds.operator };
  const env = childEnv({ ...identity, OPERATOR_KEY: stack.operator_key });
  const { stdout } = await run(process.execPath, ['--no-warnings', programFile(cli), ...args, '--json'], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as T;
}

/** Runs a command on merchants as `npm run operator` does, with nothing but the folder of the stack that it acts on. */
export async function merchants<T = Record<string, unknown>>(
  dataDir: string,
  ...args: readonly string[]
): Promise<T> {
  const line = ['.configs/run.sh', 'operator', '--json', 'merchants', ...args];
  const { stdout } = await run('sh', line, { cwd: root, env: childEnv({ GP_DATA_DIR: dataDir }) });
  return JSON.parse(stdout) as T;
}
