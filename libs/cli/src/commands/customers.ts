import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { print, type Common, type Shell } from '../shell.ts';
import { alignColumns, formatAmount, parseCount } from '../values.ts';
import type { AddCommand } from './command.ts';

type ListOptions = Common & {
  readonly limit?: number;
  readonly email?: string;
  readonly since?: string;
  readonly until?: string;
};

export function addCustomers(program: Command, add: AddCommand, shell: Shell): void {
  const customers = program
    .command('customers')
    .summary('see who started payments')
    .description('See who started payments.');
  add<[], ListOptions>(customers, 'list', {
    summary: 'list customers, the one with the latest payment first',
    options: [
      ['--limit <count>', 'most customers (default: 20)', parseCount('--limit', 1, 100)],
      ['--email <address>', 'only the one with this e-mail address'],
      ['--since <instant>', 'only those whose latest payment was started then or later'],
      ['--until <instant>', 'only those whose latest payment was started then or earlier'],
    ],
    examples: ['gp customers list', 'gp customers list --since 2026-01-01T00:00:00Z --json | jq length'],
    async run({ limit, email, since, until, ...common }) {
      const { client } = await findAccount(shell, common);
      const found = await client.listCustomers({
        ...(limit !== undefined && { limit }),
        ...(email !== undefined && { customer_email: email }),
        ...(since !== undefined && { last_payment_after: since }),
        ...(until !== undefined && { last_payment_before: until }),
      });
      const rows = found.customers.map((each) => [
        each.customer_id,
        each.customer_email,
        each.last_payment_at,
        each.customer_name ?? '',
      ]);
      print(shell, common, found.customers, rows.length > 0 ? alignColumns(rows) : 'There are none.');
    },
  });
  add<[string], Common>(customers, 'show', {
    summary: 'show a customer with the latest payments',
    arguments: [['<id>', 'id of the customer']],
    examples: ['gp customers show $ID', 'gp customers show $ID --json | jq .amounts'],
    async run(common, id) {
      const { client } = await findAccount(shell, common);
      const [customer, { payments }] = await Promise.all([
        client.getCustomer(id),
        client.listCustomerPayments(id),
      ]);
      const amounts = customer.amounts.map(({ currency, ...sums }) => [
        `  ${formatAmount(sums.amount_captured, currency)} captured`,
        `${formatAmount(sums.amount_refunded, currency)} refunded`,
        `${formatAmount(sums.amount_on_hold, currency)} on hold`,
      ]);
      const rows = payments.map((each) => [
        `  ${each.created_at}`,
        each.state,
        formatAmount(each.amount, each.currency),
        each.group_payment_id,
      ]);
      const counts = customer.payment_counts.map(({ state, count }) => `${count} ${state}`).join(', ');
      const lines = [
        [customer.customer_email, customer.customer_name].filter((part) => part !== null).join('  '),
        alignColumns(amounts),
        `Payments: ${counts}`,
        alignColumns(rows),
      ];
      print(shell, common, { ...customer, payments }, lines.join('\n'));
    },
  });
}
