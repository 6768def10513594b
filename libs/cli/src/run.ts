import { CommanderError, type Command } from 'commander';
import { CommandFailure, describeFailure, EXIT, type ExitCode } from './failure.ts';
import { buildProgram } from './program.ts';
import type { Shell } from './shell.ts';

/** Runs one command line and returns the exit code. Failures are printed as sentences, never as stack traces. */
export async function run(argv: readonly string[], shell: Shell): Promise<ExitCode> {
  const json = argv.includes('--json');
  const program = buildProgram(shell, { json });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // Commander has printed the help that was asked for, or what is wrong with the line.
    if (error instanceof CommanderError) {
      if (error.code === 'commander.unknownCommand' && !json) shell.err(suggestDeeper(program, argv));
      return isHelp(error, argv) ? EXIT.done : EXIT.usage;
    }
    // A wait that the user ended is no failure.
    if (shell.signal.aborted && !(error instanceof CommandFailure)) return EXIT.done;
    const { lines, body, exitCode } = describeFailure(error);
    if (json) shell.err(`${JSON.stringify({ error: body })}\n`);
    else shell.err(`${lines.join('\n')}\n`);
    return exitCode;
  }
}

/** Without a command, the help is an answer to a line that is not whole. */
const isHelp = ({ exitCode, code }: CommanderError, argv: readonly string[]): boolean =>
  exitCode === 0 || (code === 'commander.help' && argv.length === 0);

/** Names the commands below others that have the name of the first word: `gp pay` is `gp payments pay`. */
function suggestDeeper(program: Command, argv: readonly string[]): string {
  const word = argv.find((each) => !each.startsWith('-'));
  const found = program.commands.flatMap((group) =>
    group.commands.filter((each) => each.name() === word).map((each) => `gp ${group.name()} ${each.name()}`),
  );
  return found.length === 0 ? '' : `There is: ${found.join(', ')}.\n`;
}
