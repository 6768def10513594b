import { choices, type Client, type OrganiserRight } from '@group-payments/client';
import type { Command } from 'commander';
import { findAccount, readNow, type Account } from '../account.ts';
import { wrongUsage } from '../failure.ts';
import { describeGroup, type Group } from '../group.ts';
import { doOnce, IDEMPOTENCY_KEY } from '../once.ts';
import { print, type Common, type Shell } from '../shell.ts';
import { collectPair, collectText, parseAmount, parseCount, parseList, parseSeconds } from '../values.ts';
import type { AddCommand } from './command.ts';

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
  readonly organiser?: readonly OrganiserRight[];
  readonly minimumAmount?: number;
  readonly minimumSlots?: number;
  readonly maxTip?: number;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
};
type NewGroup = Parameters<Client['createGroupPayment']>[0];

const RIGHTS = choices.OrganiserRight;

export function addCreate(payments: Command, add: AddCommand, shell: Shell): void {
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
      [
        '--organiser <rights>',
        `ask for an organiser's link with these rights, separated by commas: ${RIGHTS.join(', ')} or none`,
        parseRights,
      ],
      [
        '--minimum-amount <amount>',
        'capture what is held when it expires, from this amount on, instead of releasing it',
        parseAmount,
      ],
      [
        '--minimum-slots <count>',
        'the same, from this number of held slots on',
        parseCount('--minimum-slots', 1, 30),
      ],
      ['--max-tip <amount>', 'let each payment add a tip of this much at most', parseAmount],
      ['--metadata <name=value>', 'a pair of metadata; may be repeated', collectPair],
      IDEMPOTENCY_KEY,
    ],
    examples: [
      'gp payments create --amount 90 --slots 3',
      'gp payments create --split 50.50,39.50 --currency USD --expires-in 2h',
      'gp payments create --amount 90 --slots 3 --label "Starter and wine" --label "" --label Dessert',
      'gp payments create --amount 90 --slots 3 --organiser remind,extend,cancel',
      'gp payments create --amount 90 --slots 3 --minimum-amount 60',
      'gp payments create --amount 90 --slots 3 --max-tip 20',
      'ID=$(gp payments create --amount 90 --slots 3 --json | jq -r .group_payment.id)',
    ],
    async run(options) {
      const made = await create(await findAccount(shell, options), options);
      print(shell, options, made, describeGroup(made));
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
    ...(o.organiser && { organiser: { may: o.organiser } }),
    ...buildMinimum(o),
    ...(o.maxTip !== undefined && { tips: { max_amount: o.maxTip } }),
    distribution: buildDistribution(amounts, o),
  };
}

function buildMinimum(o: CreateOptions): Pick<NewGroup, 'capture_at_expiry'> {
  const { minimumAmount: minimum_amount, minimumSlots: minimum_slots } = o;
  if (minimum_amount !== undefined && minimum_slots !== undefined)
    throw wrongUsage('--minimum-amount and --minimum-slots say the same; leave out one');
  if (minimum_amount !== undefined) return { capture_at_expiry: { minimum_amount } };
  return minimum_slots === undefined ? {} : { capture_at_expiry: { minimum_slots } };
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

/** Reads the rights of an organiser; `none` is an organiser who only looks and pays. */
function parseRights(text: string): readonly OrganiserRight[] {
  if (text === 'none') return [];
  return [...new Set(parseList(text))].map((word) => {
    const right = RIGHTS.find((each) => each === word);
    if (right) return right;
    throw wrongUsage(`--organiser: ${word} is no right; there are ${RIGHTS.join(', ')}, and none`);
  });
}
