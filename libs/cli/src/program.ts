import { Command } from 'commander';
import { addBalance } from './commands/balance.ts';
import { addClock } from './commands/clock.ts';
import { addCommand, JSON_OUTPUT, PROFILE } from './commands/command.ts';
import { addCompletion } from './commands/completion.ts';
import { addCustomers } from './commands/customers.ts';
import { addHelp } from './commands/help.ts';
import { addEvents } from './commands/events.ts';
import { addListen } from './commands/listen.ts';
import { addLogin } from './commands/login.ts';
import { addLogs } from './commands/logs.ts';
import { addPayments } from './commands/payments.ts';
import { addTrigger } from './commands/trigger.ts';
import { describeBody, EXIT } from './failure.ts';
import type { Common, Shell } from './shell.ts';

const ENDING = `
Environment:
  GROUP_PAYMENTS_KEY          secret key, instead of a stored profile
  GROUP_PAYMENTS_URL          address of the API, for that key
  GROUP_PAYMENTS_PROFILE      profile that is used when none is named

Exit codes:
  0  done
  1  the API refused, or what was asked for did not happen
  2  the command line is wrong
  3  there is no key, or it is not good for this
  4  the API gave no answer

Examples:
  gp login
  gp listen --forward-to localhost:3000/webhooks
  gp trigger group_payment.paid`;

/** Builds every command. What is wrong with a command line is printed as text, or as `--json` prints failures. */
export function buildProgram(shell: Shell, { json = false }: Common = {}): Command {
  const program = new Command('gp')
    .description('The command line of Group Payments.')
    .version(shell.version, '--version', 'print the version')
    // Every command takes them; before its name they mean the same.
    .option(...PROFILE)
    .option(...JSON_OUTPUT)
    .showSuggestionAfterError()
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: shell.out,
      writeErr: shell.err,
      ...(json && { outputError: (text) => shell.err(formatWrongUsage(text)) }),
    })
    .addHelpText('after', ENDING);
  for (const add of [
    addLogin,
    addListen,
    addTrigger,
    addEvents,
    addPayments,
    addCustomers,
    addBalance,
    addLogs,
    addClock,
    addCompletion,
  ])
    add(program, addCommand, shell);
  addHelp(program);
  return program;
}

/** Writes what Commander says is wrong as JSON. */
function formatWrongUsage(text: string): string {
  const message = text.replace(/^error: /, '').trim();
  return `${JSON.stringify({ error: describeBody(message, EXIT.usage) })}\n`;
}
