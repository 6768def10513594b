import { text } from 'node:stream/consumers';
import { COMMAND_CONNECT_TIMEOUT_MS, openBus, type BusOptions } from '@gp/bus';
import { ConfigError, readConfig } from '@gp/config';
import { AppError } from '@gp/errors';
import {
  busOptions,
  formatReadable,
  readOperatorSigner,
  readRunningStack,
  STANDARD_INPUT,
  UsageError,
} from '@gp/service';
import { access } from './bus/access.ts';
import { parseCommandLine, type Line } from './cli/command-line.ts';
import { findHelp, UnknownCommand } from './cli/help.ts';
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
    const line = parseCommandLine(argv);
    const answer = await run(line);
    process.stdout.write(line.isJson ? JSON.stringify(answer, null, 2) + '\n' : formatReadable(answer));
    return 0;
  } catch (error) {
    process.stderr.write(`${formatError(error)}\n`);
    if (error instanceof UsageError || error instanceof UnknownCommand) return 2;
    return error instanceof ConfigError ? error.exitCode : 1;
  }
}

async function run({ command, given, keyFile }: Line): Promise<unknown> {
  if ('runAlone' in command) return command.runAlone(given);
  const options = await readBusOptions(keyFile);
  const connectTimeoutMs = COMMAND_CONNECT_TIMEOUT_MS;
  const bus = await openBus({ ...options, access, name: 'operator', connectTimeoutMs });
  try {
    return await command.run(bus, given);
  } finally {
    await bus.close();
  }
}

function formatError(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** Returns the given servers, identity and key of the operator, or those of the stack that runs on this machine. */
async function readBusOptions(file: string | undefined): Promise<Omit<BusOptions, 'name'>> {
  const { gpDataDir, natsUrl, operatorKey, operatorKeyFile, ...given } = readConfig(config, process.env);
  const input = file === STANDARD_INPUT ? await text(process.stdin) : undefined;
  const key = { file, input, operatorKey, operatorKeyFile };
  if (natsUrl !== undefined)
    return { ...busOptions({ ...given, natsUrl }), operator: readOperatorSigner(key) };
  const stack = await readRunningStack(gpDataDir, ['NATS_URL']);
  const identity = { natsUrl: stack.nats, natsNkeySeed: stack.nats_seeds?.operator };
  const operator = readOperatorSigner({ ...key, fallback: stack.operator_key });
  return { ...busOptions({ ...given, ...identity }), operator };
}
