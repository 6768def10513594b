import type { Client } from '@group-payments/client';
import type { Command } from 'commander';
import { findAccount, readNow, type Account } from '../account.ts';
import { wrongUsage } from '../failure.ts';
import { describeGroup, findSlotIds, type Group } from '../group.ts';
import { doOnce, IDEMPOTENCY_KEY } from '../once.ts';
import { print, type Common, type Shell } from '../shell.ts';
import {
  alignColumns,
  collectPair,
  collectText,
  formatAmount,
  parseAmount,
  parseCount,
  parseList,
  parseSeconds,
} from '../values.ts';
import type { AddCommand, OptionSpec } from './command.ts';
import { addPay } from './pay.ts';

type CreateOptions = Common & {
  readonly amount?: number;
  readonly currency?: string;
  readonly slots?: number;
  readonly split?: string;
  readonly label?: readonly string[];
  readonly name?: string;
  readonly expiresIn?: number;
  readonly expiresAt?: string;
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
};
type SlotOptions = Common & {
  readonly slots?: string;
  readonly yes?: boolean;
  readonly idempotencyKey?: string;
};
type NewGroup = Parameters<Client['createGroupPayment']>[0];
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
  add<[], CreateOptions>(payments, 'create', {
    summary: 'create a group payment',
    options: [
      ['--amount <amount>', 'the sum of all slots, in currency units', parseAmount],
      ['--slots <count>', 'number of equal slots (default: 1)', parseCount('--slots', 1, 30)],
      ['--split <amounts>', 'amounts of slots of different size, separated by commas'],
      [
        '--label <text>',
        'what a slot is for; repeated in the order of the slots, "" for one without',
        collectText,
      ],
      ['--currency <code>', 'currency (default: EUR)'],
      ['--name <text>', 'what payers see, 32 characters at most (default: "Test from the command line")'],
      ['--expires-in <time>', 'time until it expires (default: 1h)', parseSeconds],
      ['--expires-at <instant>', 'when it expires, instead: 2030-01-31T20:00:00Z'],
      ['--reference <text>', 'your own reference'],
      ['--metadata <name=value>', 'a pair of metadata; may be repeated', collectPair],
      IDEMPOTENCY_KEY,
    ],
    examples: [
      'gp payments create --amount 90 --slots 3',
      'gp payments create --split 50.50,39.50 --currency USD --expires-in 2h',
      'gp payments create --amount 90 --slots 3 --label "Starter and wine" --label "" --label Dessert',
      'ID=$(gp payments create --amount 90 --slots 3 --json | jq -r .group_payment.id)',
    ],
    async run(options) {
      const made = await create(await findAccount(shell, options), options);
      print(shell, options, made, describeGroup(made));
    },
  });
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

async function create(account: Account, options: CreateOptions): Promise<Group> {
  const { expiresIn, expiresAt, idempotencyKey } = options;
  if (expiresIn !== undefined && expiresAt !== undefined)
    throw wrongUsage('--expires-in and --expires-at say the same; leave out one');
  if (idempotencyKey !== undefined && expiresAt === undefined)
    throw wrongUsage('--idempotency-key needs --expires-at: a repetition has to ask for the very same');
  // What is wrong with the options is found before the clock is read.
  const group = buildGroup(options);
  const expires_at =
    expiresAt ?? new Date((await readNow(account)) + (expiresIn ?? 3_600) * 1_000).toISOString();
  return doOnce(idempotencyKey, (call) => account.client.createGroupPayment({ ...group, expires_at }, call), {
    'expires-at': expires_at,
  });
}

/** Builds the body of a create, but for its expiry: equal slots, or those of `--split`. */
function buildGroup(o: CreateOptions): Omit<NewGroup, 'expires_at'> {
  const amounts = parseList(o.split ?? '').map(parseAmount);
  if (amounts.length > 0 && (o.amount !== undefined || o.slots !== undefined))
    throw wrongUsage('--split says everything; leave out --amount and --slots');
  if (amounts.length === 0 && o.amount === undefined)
    throw wrongUsage('--amount is missing; to name each share, write --split instead');
  const cents = amounts.reduce((sum, amount) => sum + Math.round(amount * 10_000), 0);
  return {
    group_name: o.name ?? 'Test from the command line',
    total_amount: o.amount ?? cents / 10_000,
    currency: (o.currency ?? 'EUR').toUpperCase(),
    ...(o.reference !== undefined && { client_reference: o.reference }),
    ...(o.metadata && { metadata: o.metadata }),
    distribution: buildDistribution(amounts, o),
  };
}

function buildDistribution(
  amounts: readonly number[],
  { slots = 1, label: labels = [] }: CreateOptions,
): NewGroup['distribution'] {
  const count = amounts.length || slots;
  if (labels.length > count)
    throw wrongUsage(`--label is given ${labels.length} times, and there are ${count} slots`);
  if (amounts.length === 0)
    return {
      type: 'equally',
      number_of_slots: slots,
      ...(labels.length > 0 && { slot_labels: Array.from({ length: slots }, (_, at) => labels[at] || null) }),
    };
  const toSlot = (amount: number, at: number) => ({ amount, ...(labels[at] && { label: labels[at] }) });
  return { type: 'custom', slots: amounts.map(toSlot) };
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
