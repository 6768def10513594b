import type { Command } from 'commander';

/** Adds `gp help`, which shows the help of a command at any depth: `gp help payments pay`. */
export function addHelp(program: Command): void {
  program
    .command('help')
    .summary('show the help of a command')
    .description('Show the help of a command.')
    .argument('[command...]', 'its name, for example payments pay')
    .action(async (names: readonly string[]) => {
      let found = program;
      for (const [index, name] of names.entries()) {
        const next = found.commands.find((command) => command.name() === name);
        // Run by itself, an unknown command is refused with the names that are like it.
        if (!next) return void (await program.parseAsync(names.slice(0, index + 1), { from: 'user' }));
        found = next;
      }
      found.help();
    });
}
