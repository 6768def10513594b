import { ConfigError, readConfig, type ConfigSchema } from '@gp/config';

/**
 * Runs a task that ends: 0 when it is done, 78 with every fault when its settings are wrong, else 1 and why. What it
 * says is one line for whoever looks at the Job.
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
