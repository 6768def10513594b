import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMAND_CONNECT_TIMEOUT_MS, openBus } from '@gp/bus';
import { ConfigError, readConfig } from '@gp/config';
import { AppError } from '@gp/errors';
import { busOptions, type BusConfig } from '@gp/service';
import { access } from './bus/access.ts';
import { parseCommandLine, UsageError } from './cli/command-line.ts';
import { findHelp, UnknownCommand } from './cli/help.ts';
import { readable } from './cli/readable.ts';
import { config } from './config.ts';

process.exitCode = await main(process.argv.slice(2));

/** Runs one command and returns the exit code. Errors are printed as messages, never as stack traces. */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const help = findHelp(argv);
    if (help !== undefined) {
      process.stdout.write(`${help}\n`);
      return 0;
    }
    const { command, given, isJson } = parseCommandLine(argv);
    const bus = await openBus({
      ...busOptions(await readBusConfig()),
      access,
      name: 'operator',
      connectTimeoutMs: COMMAND_CONNECT_TIMEOUT_MS,
    });
    try {
      const answer = await command.run(bus, given);
      process.stdout.write(isJson ? JSON.stringify(answer, null, 2) + '\n' : readable(answer));
      return 0;
    } finally {
      await bus.close();
    }
  } catch (error) {
    process.stderr.write(`${formatError(error)}\n`);
    if (error instanceof UsageError || error instanceof UnknownCommand) return 2;
    return error instanceof ConfigError ? error.exitCode : 1;
  }
}

function formatError(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** Returns the given servers and identity, or those of the stack that runs on this machine. */
async function readBusConfig(): Promise<BusConfig> {
  const { gpDataDir, natsUrl, ...given } = readConfig(config, process.env);
  if (natsUrl !== undefined) return { ...given, natsUrl };
  const file = join(gpDataDir, 'stack.json');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`NATS_URL is not set, and ${file} is not there: is a stack running?`);
  });
  const { nats, nats_seeds: seeds } = JSON.parse(text) as { nats: string; nats_seeds?: { operator: string } };
  return { ...given, natsUrl: nats, natsNkeySeed: seeds?.operator };
}
