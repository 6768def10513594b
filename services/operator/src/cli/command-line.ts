import { parseArgs } from 'node:util';
import { COMMON_OPTIONS, splitLeadingOptions, UsageError } from '@gp/service';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { formatAll, formatUsageLine, UnknownCommand } from './help.ts';
import { options, type Given, type OptionName } from './options.ts';
import { findFaultOfWays } from './ways.ts';

export type Line = {
  readonly command: Command;
  readonly given: Given;
  readonly isJson: boolean;
  /** The file with the operator's key, where the line names one. */
  readonly keyFile: string | undefined;
};

/** Finds the command, "noun verb", and its options, common ones also before it; throws when there is anything else. */
export function parseCommandLine(argv: readonly string[]): Line {
  const { leading, rest } = splitLeadingOptions(argv);
  const name = rest.slice(0, 2).join(' ');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (name === '') throw new UsageError(formatAll());
  if (!command) throw new UnknownCommand(name);
  const {
    json,
    'operator-key': keyFile,
    ...values
  } = parseCommandValues(name, command, [...leading, ...rest.slice(2)]);
  const given = values as Given;
  const fault = findMissing(command, given) ?? findFaultOfWays(command.ways ?? [[]], given);
  if (fault !== undefined) throw new UsageError(`${fault}: ${formatUsageLine(name, command)}`);
  for (const option of Object.keys(given) as OptionName[]) check(option, given[option]);
  return { command, given, isJson: json === true, keyFile: keyFile as string | undefined };
}

function findMissing({ needs }: Command, given: Given): string | undefined {
  const missing = needs.filter((option) => !given[option]);
  return missing.length > 0 ? `${missing.map((option) => `--${option}`).join(', ')} missing` : undefined;
}

function parseCommandValues(name: string, command: Command, args: string[]): Record<string, unknown> {
  const { needs, takes, ways = [] } = command;
  const allowed = Object.fromEntries(
    [...needs, ...takes, ...ways.flat()].map((option) => [
      option,
      { type: options[option].isFlag ? 'boolean' : 'string' } as const,
    ]),
  );
  try {
    return parseArgs({ args, options: { ...allowed, ...COMMON_OPTIONS }, strict: true }).values;
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${fault}: ${formatUsageLine(name, command)}`);
  }
}

function check(name: OptionName, value: string | boolean | undefined): void {
  const { pattern, is } = options[name];
  if (typeof value === 'string' && !pattern.test(value)) throw new UsageError(`--${name} must be ${is}`);
}
