import type { Command } from 'commander';

type Read = (text: string, before: never) => unknown;
/** Flags, meaning, and how its text is read. */
export type OptionSpec = readonly [flags: string, summary: string, read?: Read];

export type CommandSpec<A extends readonly unknown[], O> = {
  readonly summary: string;
  /** Further sentences of its help. */
  readonly details?: string;
  readonly arguments?: readonly (readonly [name: string, summary: string])[];
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly string[];
  readonly run: (options: O, ...args: A) => Promise<void>;
};

/** Adds a command below another one; returns it, for commands of its own. */
export type AddCommand = <A extends readonly unknown[], O>(
  parent: Command,
  name: string,
  spec: CommandSpec<A, O>,
) => Command;

export const PROFILE = ['--profile <name>', 'use this stored profile'] as const;
export const JSON_OUTPUT = ['--json', 'print JSON'] as const;

/** Adds a command with the options that all have, its examples in its help. */
export const addCommand: AddCommand = (parent, name, spec) => {
  const command = parent.command(name).summary(spec.summary).description(describe(spec));
  for (const [argument, summary] of spec.arguments ?? []) command.argument(argument, summary);
  for (const [flags, summary, read] of spec.options ?? [])
    if (read) command.option(flags, summary, read as (text: string, before: unknown) => unknown);
    else command.option(flags, summary);
  command.option(...PROFILE).option(...JSON_OUTPUT);
  command.addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  ${line}`).join('\n')}`);
  command.action(async (...given: unknown[]) => {
    // Commander knows the types of neither: the specification says what they are.
    await spec.run(command.optsWithGlobals<never>(), ...(given.slice(0, -2) as never));
  });
  return command;
};

function describe({ summary, details }: Pick<CommandSpec<[], unknown>, 'summary' | 'details'>): string {
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return details === undefined ? sentence : `${sentence}\n\n${details}`;
}
