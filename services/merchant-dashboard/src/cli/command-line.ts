import { parseArgs } from 'node:util';
import { COMMON_OPTIONS, UsageError } from '@gp/service';
import type { Command, Given } from './command.ts';
import { findCommand, formatAll, formatUsageLine } from './help.ts';
import { splitWords } from './words.ts';

export type Line = {
  readonly verb: string;
  readonly command: Command;
  readonly given: Given;
  readonly isJson: boolean;
  /** The file with the operator's key, where the line names one. */
  readonly keyFile: string | undefined;
};

/** Finds the verb and its options; every option of the verb must be given, and nothing else but common ones. */
export function parseCommandLine(argv: readonly string[]): Line {
  const { leading, verb, rest } = splitWords(argv);
  if (verb === undefined) throw new UsageError(formatAll());
  const command = findCommand(verb);
  const { json, 'operator-key': keyFile, ...values } = parseOptions(verb, command, [...leading, ...rest]);
  const given = values as Given;
  const missing = command.options.filter((name) => !given[name]);
  if (missing.length > 0)
    throw new UsageError(
      `${missing.map((name) => `--${name}`).join(', ')} missing: ${formatUsageLine(verb, command)}`,
    );
  return { verb, command, given, isJson: json === true, keyFile: keyFile as string | undefined };
}

function parseOptions(verb: string, command: Command, args: string[]): Record<string, unknown> {
  const own = Object.fromEntries(command.options.map((name) => [name, { type: 'string' } as const]));
  try {
    return parseArgs({ args, options: { ...own, ...COMMON_OPTIONS }, strict: true }).values;
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${fault}: ${formatUsageLine(verb, command)}`);
  }
}
