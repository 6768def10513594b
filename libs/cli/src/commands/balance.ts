import type { GatewayStatement } from '@group-payments/client';
import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { print, type Common, type Shell } from '../shell.ts';
import { alignColumns, formatAmount } from '../values.ts';
import type { AddCommand } from './command.ts';

type PeriodOptions = Common & { readonly from?: string; readonly to?: string; readonly timeZone?: string };

export function addBalance(program: Command, add: AddCommand, shell: Shell): void {
  const balance = program
    .command('balance')
    .summary('see how the money stands and how it moved')
    .description('See how the money stands and how it moved.');
  add<[], Common>(balance, 'show', {
    summary: 'show what is on hold, captured and refunded, by gateway and currency',
    examples: ['gp balance show', 'gp balance show --json | jq .balances'],
    async run(common) {
      const { client } = await findAccount(shell, common);
      const found = await client.getBalance();
      const rows = found.balances.map(({ psp_code, currency, ...amounts }) => [
        psp_code,
        `${formatAmount(amounts.amount_on_hold, currency)} on hold`,
        `${formatAmount(amounts.amount_captured, currency)} captured`,
        `${formatAmount(amounts.amount_refunded, currency)} refunded`,
        `${formatAmount(amounts.amount_net, currency)} net`,
      ]);
      print(shell, common, found, rows.length > 0 ? alignColumns(rows) : 'There is none.');
    },
  });
  add<[], PeriodOptions>(balance, 'statement', {
    summary: 'show what moved on each day of a period',
    details: 'Without --from and --to it is the current month, with one of them the month ends or begins it.',
    options: [
      ['--from <day>', 'the first day, for example 2026-01-01'],
      ['--to <day>', 'the last day'],
      ['--time-zone <name>', 'the time zone of the days, for example Europe/Madrid (default: UTC)'],
    ],
    examples: ['gp balance statement', 'gp balance statement --from 2026-01-01 --time-zone Europe/Madrid'],
    async run({ from, to, timeZone, ...common }) {
      const { client } = await findAccount(shell, common);
      const found = await client.getStatement({
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(timeZone !== undefined && { time_zone: timeZone }),
      });
      const shown = found.statements.map(describeStatement).join('\n\n');
      print(
        shell,
        common,
        found,
        `${found.from} to ${found.to}, ${found.time_zone}\n\n${shown || 'There was none.'}`,
      );
    },
  });
}

function describeStatement({
  psp_code,
  currency,
  opening,
  movements,
  closing,
  days,
}: GatewayStatement): string {
  const amount = (value: number) => formatAmount(value, currency);
  const standing = (name: string, { amount_on_hold, amount_net }: typeof opening) => [
    name,
    ...['', '', '', '', amount(amount_on_hold), amount(amount_net)],
  ];
  const moved = (o: typeof movements) =>
    [o.amount_held, o.amount_released, o.amount_captured, o.amount_refunded].map(amount);
  const rows = [
    [psp_code, 'held', 'released', 'captured', 'refunded', 'on hold', 'net'],
    standing('opening', opening),
    ...days.map((day) => [day.date, ...moved(day), amount(day.amount_on_hold), amount(day.amount_net)]),
    ['movements', ...moved(movements)],
    standing('closing', closing),
  ];
  return alignColumns(rows);
}
