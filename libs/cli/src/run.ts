import { CommanderError } from 'commander';
import { CommandFailure, describeFailure, EXIT, type ExitCode } from './failure.ts';
import { buildProgram } from './program.ts';
import type { Shell } from './shell.ts';

/** Runs one command line and returns the exit code. Failures are printed as sentences, never as stack traces. */
export async function run(argv: readonly string[], shell: Shell): Promise<ExitCode> {
  try {
    await buildProgram(shell).parseAsync(argv, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // Commander has printed the help that was asked for, or what is wrong with the line.
    if (error instanceof CommanderError) return isHelp(error, argv) ? EXIT.done : EXIT.usage;
    // A wait that the user ended is no failure.
    if (shell.signal.aborted && !(error instanceof CommandFailure)) return EXIT.done;
    const { lines, body, exitCode } = describeFailure(error);
    if (argv.includes('--json')) shell.err(`${JSON.stringify({ error: body })}\n`);
    else shell.err(`${lines.join('\n')}\n`);
    return exitCode;
  }
}

/** Without a command, the help is an answer to a line that is not whole. */
const isHelp = ({ exitCode, code }: CommanderError, argv: readonly string[]): boolean =>
  exitCode === 0 || (code === 'commander.help' && argv.length === 0);
