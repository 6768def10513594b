import { text } from 'node:stream/consumers';
import { COMMAND_CONNECT_TIMEOUT_MS, openBus, type OperatorSigner } from '@gp/bus';
import { ConfigError } from '@gp/config';
import { identifyOperator } from '@gp/contracts';
import { callRelay } from '@gp/outbox';
import { openPg } from '@gp/pg';
import { busOptions, formatReadable, readOperatorSigner, STANDARD_INPUT, UsageError } from '@gp/service';
import { access } from './bus/access.ts';
import { buildServiceCalls } from './bus/service-calls.ts';
import { parseCommandLine, type Line } from './cli/command-line.ts';
import type { CommandParts } from './cli/command.ts';
import { findHelp } from './cli/help.ts';
import { readCliConfig, readPepper, type StorageConfig } from './config.ts';

/** The ledger takes no longer one; what is wrong with the value itself, the command says. */
const LONGEST_SUBJECT = 400;

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
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof UsageError) return 2;
    return error instanceof ConfigError ? error.exitCode : 1;
  }
}

async function run(line: Line): Promise<unknown> {
  const { operatorKey, operatorKeyFile, stackKey, ...config } = await readCliConfig(process.env);
  const { keyText, input } = await readInput(line);
  const source = { file: line.keyFile, input: keyText, operatorKey, operatorKeyFile, fallback: stackKey };
  const signer = readOperatorSigner(source);
  const { command, given } = line;
  return withParts({ config, signer, line }, (parts) => command.run(parts, given, input));
}

/** Reads standard input where a command or the key is there; with both, the key is its first line. */
async function readInput({ command, keyFile }: Line): Promise<{ keyText?: string; input: string }> {
  const hasKey = keyFile === STANDARD_INPUT;
  const whole = command.input !== undefined || hasKey ? await text(process.stdin) : '';
  if (!hasKey) return { input: whole };
  const [keyText = ''] = whole.split('\n', 1);
  return { keyText, input: whole.slice(keyText.length + 1) };
}

/**
 * Opens what a command needs, once the ledger has verified who gives it. The running dashboard publishes the outbox: this
 * process writes to it and calls the relay there.
 */
async function withParts<T>(
  { config, signer, line }: { config: StorageConfig; signer: OperatorSigner; line: Line },
  work: (parts: CommandParts) => Promise<T>,
): Promise<T> {
  const name = 'merchants-cli';
  const connectTimeoutMs = COMMAND_CONNECT_TIMEOUT_MS;
  // First what may throw and holds nothing open: a pool connects on use.
  const db = await openPg({ url: config.databaseUrl, name, max: 1 });
  const bus = await openBus({ ...busOptions(config), access, name, connectTimeoutMs, operator: signer });
  // A call that fails is none lost: the relay looks by itself before long.
  const calls: Promise<void>[] = [];
  const wakeRelay = (): void => void calls.push(callRelay(db).catch(() => undefined));
  try {
    const { verb, command, given } = line;
    const subject = (given['merchant'] ?? given['name'] ?? '').slice(0, LONGEST_SUBJECT);
    const operator = await bus.call(identifyOperator, {
      needs: command.needs,
      action: `merchants ${verb}`,
      subject,
    });
    const services = buildServiceCalls(bus);
    return await work({ db, wakeRelay, services, pepper: readPepper(config), operator });
  } finally {
    await Promise.all(calls);
    await bus.close();
    await db.close();
  }
}
