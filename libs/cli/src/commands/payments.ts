import type { Client } from '@group-payments/client';
import type { Command } from 'commander';
import { findAccount, type Account } from '../account.ts';
import { wrongUsage } from '../failure.ts';
import { describeGroup, findSlotIds } from '../group.ts';
import { doOnce, IDEMPOTENCY_KEY } from '../once.ts';
import { print, type Common, type Shell } from '../shell.ts';
import { alignColumns, formatAmount, parseCount } from '../values.ts';
import type { AddCommand, OptionSpec } from './command.ts';
import { addCreate } from './create.ts';
import { addPay } from './pay.ts';

type SlotOptions = Common & {
  readonly slots?: string;
  readonly yes?: boolean;
  readonly idempotencyKey?: string;
};
type ListOptions = Common & {
  readonly limit?: number;
  readonly state?: string;
  readonly reference?: string;
  readonly order?: string;
  readonly email?: string;
};

const ID = [['<id>', 'id of the group payment']] as const;
const SLOTS: OptionSpec = ['--slots <numbers>', 'numbers or ids of slots, separated by commas'];
const YES: OptionSpec = ['--yes', 'needed in live mode, where it moves real money'];

export function addPayments(program: Command, add: AddCommand, shell: Shell): void {
  const payments = program
    .command('payments')
    .summary('create, pay, refund, show and cancel group payments')
    .description('Create, pay, refund, show and cancel group payments.');
  addCreate(payments, add, shell);
  addPay(payments, add, shell);
  add<[string], Common>(payments, 'show', {
    summary: 'show a group payment with its slots and payments',
    arguments: ID,
    examples: ['gp payments show $ID', 'gp payments show $ID --json | jq .group_payment.state'],
    async run(common, id) {
      const { client } = await findAccount(shell, common);
      const [group, { payments: found }] = await Promise.all([
        client.getGroupPayment(id),
        client.listPayments(id),
      ]);
      const rows = found.map((each) => [
        `  ${each.customer_email}`,
        each.state,
        formatAmount(each.amount, each.currency),
        each.psp_code,
        each.payment_intent_id,
      ]);
      const listed = rows.length > 0 ? `\nPayments:\n${alignColumns(rows)}` : '';
      print(shell, common, { ...group, payments: found }, describeGroup(group) + listed);
    },
  });
  add<[], ListOptions>(payments, 'list', {
    summary: 'list group payments, newest first',
    options: [
      ['--limit <count>', 'most group payments (default: 20)', parseCount('--limit', 1, 100)],
      ['--state <state>', 'only those in this state'],
      ['--reference <text>', 'only those with this reference of yours'],
      ['--order <number>', 'only the one with this merchant_order_id'],
      ['--email <address>', 'only those with a payment of this payer'],
    ],
    examples: ['gp payments list', 'gp payments list --state paid --limit 5'],
    run: (options) => list(shell, options),
  });
  add<[string], SlotOptions>(payments, 'refund', {
    summary: 'refund what was captured, or the payments of some slots',
    arguments: ID,
    options: [SLOTS, YES, IDEMPOTENCY_KEY],
    examples: ['gp payments refund $ID', 'gp payments refund $ID --slots 1'],
    async run(options, id) {
      const account = needConsent(await findAccount(shell, options), options, 'refund');
      const slot_ids = await findSlotIds(account.client, id, options.slots);
      const done = await doOnce(options.idempotencyKey, (call) =>
        account.client.refundGroupPayment(id, slot_ids ? { slot_ids } : {}, call),
      );
      const count = done.refunded_payment_intents.length;
      print(
        shell,
        options,
        done,
        `Refunded ${count} payment${count === 1 ? '' : 's'}; the group is ${done.group_state}.`,
      );
    },
  });
  add<[string], SlotOptions>(payments, 'cancel', {
    summary: 'cancel a group payment that is not captured; its holds are released',
    arguments: ID,
    options: [YES],
    examples: ['gp payments cancel $ID'],
    async run(options, id) {
      const account = needConsent(await findAccount(shell, options), options, 'cancel');
      const group = await account.client.cancelGroupPayment(id);
      print(shell, options, group, `The group payment is ${group.group_payment.state}.`);
    },
  });
}

function needConsent(account: Account, { yes }: SlotOptions, what: string): Account {
  if (account.mode === 'test' || yes === true) return account;
  throw wrongUsage(`this is a live key: add --yes to ${what} for real`);
}

async function list(shell: Shell, options: ListOptions): Promise<void> {
  const { client } = await findAccount(shell, options);
  const { limit, state, reference, order, email } = options;
  type Query = NonNullable<Parameters<Client['listGroupPayments']>[0]>;
  const found = await client.listGroupPayments({
    ...(limit !== undefined && { limit }),
    // The API refuses a state that it does not know, and says which there are.
    ...(state !== undefined && { state: state as NonNullable<Query['state']> }),
    ...(reference !== undefined && { client_reference: reference }),
    ...(order !== undefined && { merchant_order_id: order }),
    ...(email !== undefined && { customer_email: email }),
  });
  const rows = found.group_payments.map((group) => [
    group.id,
    group.state,
    formatAmount(group.total_amount, group.currency),
    group.expires_at,
    group.group_name,
  ]);
  print(shell, options, found.group_payments, rows.length > 0 ? alignColumns(rows) : 'There are none.');
}
