import { parseArgs } from 'node:util';
import { pspCodes } from '@gp/gateway-registry';
import { commands, type Command, type Given } from './commands.ts';

/** Thrown for a command line that cannot be parsed; its message is for the person who typed it. */
export class UsageError extends Error {}

export type Line = {
  readonly verb: string;
  readonly command: Command;
  readonly given: Given;
  /** The file with the operator's key, where the line names one. */
  readonly keyFile: string | undefined;
};

/** Finds the verb and its options; every option of the verb must be given, and nothing else but the operator's key. */
export function parseCommandLine(argv: readonly string[]): Line {
  const [verb = '', ...rest] = argv[0] === 'merchants' ? argv.slice(1) : argv;
  const command = Object.hasOwn(commands, verb) ? commands[verb] : undefined;
  if (!command) throw new UsageError(usage());
  const { 'operator-key': keyFile, ...given } = parseOptions(command, rest);
  const missing = command.options.filter((name) => !given[name]);
  if (missing.length > 0)
    throw new UsageError(
      `${missing.map((name) => `--${name}`).join(', ')} missing: ${formatUsageLine(verb, command)}`,
    );
  return { verb, command, given, keyFile };
}

function parseOptions(command: Command, args: string[]): Given {
  const names = [...command.options, 'operator-key'];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args, options, strict: true }).values as Given;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const VALUES: Readonly<Record<string, string>> = {
  merchant: 'ID',
  key: 'ID',
  group: 'ID',
  mode: 'test|live',
  psp: pspCodes.join('|'),
};

function formatUsageLine(verb: string, { options, input }: Command): string {
  const needed = options.map((name) => `--${name} ${VALUES[name] ?? name.toUpperCase()}`).join(' ');
  return `merchants ${verb} ${needed}${input === undefined ? '' : `   (${input} on standard input)`}`;
}

function usage(): string {
  const lines = Object.entries(commands).map(([verb, command]) => `  ${formatUsageLine(verb, command)}`);
  return [
    'merchants: create merchants, their API keys and their gateway connections',
    '',
    ...lines,
    '',
    'Commands are signed with your key: OPERATOR_KEY, OPERATOR_KEY_FILE, or --operator-key FILE',
    '(- is the first line of standard input).',
    'Answers are JSON. Exit codes: 0 done, 1 refused, 2 not a command of ours, 78 settings are wrong.',
  ].join('\n');
}
