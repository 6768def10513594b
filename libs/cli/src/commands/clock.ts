import type { TestClock } from '@group-payments/client';
import type { Command } from 'commander';
import { findAccount, needTestMode, type Account } from '../account.ts';
import { CommandFailure } from '../failure.ts';
import { doOnce, IDEMPOTENCY_KEY } from '../once.ts';
import { pause, print, type Common, type Shell } from '../shell.ts';
import { parseSeconds } from '../values.ts';
import type { AddCommand } from './command.ts';

const LOOK_EVERY_MS = 200;
/** Longer than a clock needs for a week that is full of work. */
const PATIENCE_MS = 120_000;

type AdvanceOptions = Common & { readonly wait?: boolean; readonly idempotencyKey?: string };

export function addClock(program: Command, add: AddCommand, shell: Shell): void {
  const clock = program
    .command('clock')
    .summary('move the time of test mode')
    .description('Move the time of test mode: expiries, retries and webhooks fall due at once.');
  const find = async (common: Common) => needTestMode(await findAccount(shell, common), 'The test clock');
  add<[], Common>(clock, 'show', {
    summary: 'show the test clock',
    examples: ['gp clock show'],
    async run(common) {
      const shown = await (await find(common)).client.getTestClock();
      print(shell, common, shown, describeClock(shown));
    },
  });
  add<[string], AdvanceOptions>(clock, 'advance', {
    summary: 'move the test clock forward and wait for what falls due',
    arguments: [['<time>', 'for example 90 (seconds), 15m, 1h30m or 7d']],
    options: [['--no-wait', 'do not wait for what falls due'], IDEMPOTENCY_KEY],
    examples: ['gp clock advance 1h', 'gp clock advance 7d --no-wait'],
    async run({ wait, idempotencyKey, ...common }, time) {
      const seconds = parseSeconds(time);
      const account = await find(common);
      const asked = await doOnce(idempotencyKey, (call) =>
        account.client.advanceTestClock({ seconds }, call),
      );
      const shown = wait === false ? asked : await waitUntilSettled(shell, account, asked);
      print(shell, common, shown, describeClock(shown));
    },
  });
  add<[], AdvanceOptions>(clock, 'reset', {
    summary: 'return the test clock to real time',
    options: [['--no-wait', 'do not wait until it has']],
    examples: ['gp clock reset'],
    async run({ wait, ...common }) {
      const account = await find(common);
      const asked = await account.client.resetTestClock();
      const shown = wait === false ? asked : await waitUntilSettled(shell, account, asked);
      print(shell, common, shown, describeClock(shown));
    },
  });
}

async function waitUntilSettled(shell: Shell, { client }: Account, asked: TestClock): Promise<TestClock> {
  let shown = asked;
  for (
    const giveUpAt = Date.now() + PATIENCE_MS;
    shown.state !== 'settled';
    shown = await client.getTestClock()
  ) {
    await pause(shell, LOOK_EVERY_MS);
    if (shell.signal.aborted || Date.now() > giveUpAt)
      throw new CommandFailure('The test clock still works; `gp clock show` shows how far it is.');
  }
  return shown;
}

function describeClock(clock: TestClock): string {
  return Object.entries(clock)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${String(value)}`)
    .join('\n');
}
