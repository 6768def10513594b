import { COMMAND_CONNECT_TIMEOUT_MS, openBus } from '@gp/bus';
import { ConfigError, readConfig } from '@gp/config';
import { openPg } from '@gp/pg';
import { busOptions } from '@gp/service';
import type { DashboardParts } from './app/ports.ts';
import { access } from './bus/access.ts';
import { buildServiceCalls } from './bus/service-calls.ts';
import { parseCommandLine, UsageError } from './cli/command-line.ts';
import { cliConfig, readPepper, type StorageConfig } from './config.ts';

process.exitCode = await main(process.argv.slice(2));

/** Runs one command and returns the exit code. Errors are printed as messages, never as stack traces. */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const { command, given } = parseCommandLine(argv);
    const config = readConfig(cliConfig, process.env);
    const input = command.input === undefined ? '' : await standardInput();
    const answer = await withParts(config, (parts) => command.run(parts, given, input));
    process.stdout.write(JSON.stringify(answer, null, 2) + '\n');
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof UsageError) return 2;
    return error instanceof ConfigError ? error.exitCode : 1;
  }
}

/** The running dashboard publishes the outbox: this process only writes to it. */
async function withParts<T>(config: StorageConfig, work: (parts: DashboardParts) => Promise<T>): Promise<T> {
  const name = 'merchants-cli';
  const db = await openPg({ url: config.databaseUrl, name, max: 1 });
  const bus = await openBus({
    ...busOptions(config),
    access,
    name,
    connectTimeoutMs: COMMAND_CONNECT_TIMEOUT_MS,
  });
  const parts = {
    db,
    wakeRelay: () => undefined,
    services: buildServiceCalls(bus),
    pepper: readPepper(config),
  };
  try {
    return await work(parts);
  } finally {
    await bus.close();
    await db.close();
  }
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
