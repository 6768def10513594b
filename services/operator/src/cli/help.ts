import { findNearest, splitLeadingOptions } from '@gp/service';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { options, type OptionName } from './options.ts';

const FLAGS = ['--help', '-h'];
const CODES =
  'Commands are signed with your key: OPERATOR_KEY, OPERATOR_KEY_FILE, or --operator-key FILE (- is standard input).\n' +
  '--json answers JSON. Both options may also stand before the command.\n' +
  'Exit codes: 0 done, 1 refused or unreachable, 2 not a command of ours, 78 settings are wrong.';
/** The noun of the commands of the dashboard's own program, to which `npm run operator` passes them. */
const MERCHANTS = 'merchants';
const MERCHANTS_SUMMARY = `  ${MERCHANTS} VERB …
      creates and finds merchants, their keys and gateways; "help merchants" lists the verbs`;

/**
 * Returns the help that a command line asks for: of all commands, of those of one noun, or of one command with the form of
 * each option. Undefined when it asks for none; throws `UnknownCommand` for help on a command that does not exist.
 */
export function findHelp(argv: readonly string[]): string | undefined {
  const { leading, rest } = splitLeadingOptions(argv);
  const isAsked = rest[0] === 'help';
  if (!isAsked && ![...leading, ...rest].some((word) => FLAGS.includes(word))) return undefined;
  const named = isAsked ? rest.slice(1) : rest;
  const end = named.findIndex((word) => word.startsWith('-'));
  const words = named.slice(0, end < 0 ? 2 : Math.min(end, 2));
  if (words.length === 0) return formatAll();
  return formatNoun(words) ?? formatCommand(words.join(' '));
}

/** Thrown for a command that does not exist; its message names it, and what may be meant. */
export class UnknownCommand extends Error {
  constructor(name: string) {
    super(`"${name}" is not a command. ${findHint(name)}`);
  }
}

function findHint(name: string): string {
  const [noun = ''] = name.split(' ');
  if (noun === MERCHANTS) return 'It is one of the dashboard’s program: npm run operator -- help merchants';
  const names = Object.keys(commands);
  const nearest = findNearest(name, names) ?? findNearest(noun, [MERCHANTS]);
  if (nearest !== undefined) return `Did you mean "${nearest}"?`;
  const ofNoun = names.filter((each) => each.startsWith(`${noun} `));
  return ofNoun.length > 0 ? `There are: ${ofNoun.join(', ')}.` : '"help" lists all commands.';
}

/** Formats a command with its options as a line to type. */
export function formatUsageLine(name: string, { needs, takes, ways = [] }: Command): string {
  const word = (option: OptionName): string =>
    options[option].isFlag ? `--${option}` : `--${option} ${options[option].sample}`;
  const alternatives = ways.map((way) => way.map(word).join(' ')).join(' | ');
  return [
    name,
    ...needs.map(word),
    ...(ways.length > 0 ? [`(${alternatives})`] : []),
    ...takes.map((option) => `[${word(option)}]`),
  ].join(' ');
}

/** Formats the help of all commands. */
export function formatAll(): string {
  const lines = Object.keys(commands).map(formatSummary);
  return [
    'operator: what a person may have to do to a running platform',
    '',
    ...lines,
    MERCHANTS_SUMMARY,
    '',
    '"help" before a command, or --help after it, explains its options.',
    CODES,
  ].join('\n');
}

function formatSummary(name: string): string {
  const command = commands[name];
  return command ? `  ${formatUsageLine(name, command)}\n      ${command.does}` : '';
}

function formatNoun([noun, verb]: readonly string[]): string | undefined {
  const names = Object.keys(commands).filter((name) => name.startsWith(`${noun} `));
  return verb === undefined && names.length > 0 ? names.map(formatSummary).join('\n') : undefined;
}

function formatCommand(name: string): string {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UnknownCommand(name);
  const explain = (is: string) => (option: OptionName) =>
    `  --${option.padEnd(12)} ${options[option].isFlag ? 'takes no value' : options[option].is}${is}`;
  return [
    formatUsageLine(name, command),
    `  ${command.does}`,
    '',
    ...command.needs.map(explain('')),
    ...[...new Set(command.ways?.flat())].map(explain('; see the choice above')),
    ...command.takes.map(explain('; optional')),
    ...('run' in command ? [`  --${'operator-key'.padEnd(12)} the file with your key; optional`] : []),
    `  --${'json'.padEnd(12)} takes no value: answers JSON; optional`,
  ].join('\n');
}
