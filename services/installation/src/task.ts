import { ConfigError, readConfig, type ConfigSchema } from '@gp/config';

/**
 * Runs a task that ends: exit code 0 when it is done, 78 with every fault when its settings are wrong, else 1 and
 * the reason. It prints one line for the operator who reads the Job's log.
 */
export async function runTask<C>(
  schema: ConfigSchema<C>,
  task: (config: C) => Promise<string>,
): Promise<void> {
  try {
    process.stdout.write(`${await task(readConfig(schema, process.env))}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof ConfigError ? error.exitCode : 1;
  }
}
