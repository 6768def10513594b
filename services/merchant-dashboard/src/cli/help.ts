import { findNearest, UsageError } from '@gp/service';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { options } from './options.ts';
import { splitWords } from './words.ts';

const CODES =
  'Commands are signed with your key: OPERATOR_KEY, OPERATOR_KEY_FILE, or --operator-key FILE\n' +
  '(- is the first line of standard input). --json answers JSON. Both options may also stand before the command.\n' +
  'Without DATABASE_URL, NATS_URL and API_KEY_PEPPER, commands act on the stack that runs on this machine.\n' +
  'Exit codes: 0 done, 1 refused, 2 not a command of ours, 78 settings are wrong.';

/**
 * Returns the help that a command line asks for: of all commands, or of one with its options. Undefined when it asks for
 * none; throws a UsageError for help on a command that does not exist.
 */
export function findHelp(argv: readonly string[]): string | undefined {
  const { verb, wantsHelp } = splitWords(argv);
  if (!wantsHelp) return undefined;
  return verb === undefined ? formatAll() : formatCommand(verb, findCommand(verb));
}

/** Returns the command of a verb; throws a UsageError that names an unknown verb, and what may be meant. */
export function findCommand(verb: string): Command {
  const command = Object.hasOwn(commands, verb) ? commands[verb] : undefined;
  if (command) return command;
  const verbs = Object.keys(commands);
  const nearest = findNearest(verb, verbs);
  const hint =
    nearest === undefined ? `There are: ${verbs.join(', ')}.` : `Did you mean "merchants ${nearest}"?`;
  throw new UsageError(`"merchants ${verb}" is not a command. ${hint}`);
}

/** Formats a command with its options as a line to type. */
export function formatUsageLine(verb: string, command: Command): string {
  const needed = command.options.map((name) => ` --${name} ${options[name].sample}`).join('');
  return `merchants ${verb}${needed}${command.input === undefined ? '' : `   (${command.input} on standard input)`}`;
}

/** Formats the help of all commands. */
export function formatAll(): string {
  const lines = Object.entries(commands).map(
    ([verb, command]) => `  ${formatUsageLine(verb, command)}\n      ${command.does}`,
  );
  return [
    'merchants: create merchants, their API keys and their gateway connections',
    '',
    ...lines,
    '',
    '"help merchants" before a verb, or --help after it, explains its options.',
    CODES,
  ].join('\n');
}

function formatCommand(verb: string, command: Command): string {
  const explain = (name: string, is: string): string => `  --${name.padEnd(12)} ${is}`;
  return [
    formatUsageLine(verb, command),
    `  ${command.does}`,
    `  It needs a key with the role ${command.needs}.`,
    '',
    ...command.options.map((name) => explain(name, options[name].is)),
    explain('operator-key', 'the file with your key; optional'),
    explain('json', 'takes no value: answers JSON; optional'),
  ].join('\n');
}
