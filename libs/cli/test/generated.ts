import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { Generated } from '@gp/testing';
import { buildProgram } from '../src/program.ts';

const silent = {
  version: '0.0.0',
  env: {},
  stdin: Readable.from([]),
  isTerminal: false,
  out: () => undefined,
  err: () => undefined,
  signal: new AbortController().signal,
};

/** Returns a row for each command that does something, by its full name. */
function listCommands(command: Command, path: readonly string[] = []): string[] {
  const own =
    command.commands.length === 0 || command.name() === 'profiles' ? [renderRow(command, path)] : [];
  const below = command.commands.flatMap((each) => listCommands(each, [...path, each.name()]));
  return path.length === 0 ? below : [...own, ...below];
}

function renderRow(command: Command, path: readonly string[]): string {
  const names = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return `| \`gp ${[...path, ...names].join(' ')}\` | ${command.summary()} |`;
}

const table = ['| command | does |', '| --- | --- |', ...listCommands(buildProgram(silent))].join('\n');

/** The part of the README that the commands themselves say. */
export const generated: Generated = {
  folder: resolve(import.meta.dirname, '..'),
  readme: { commands: table },
};
