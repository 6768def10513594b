import type { Client, TestCard } from '@group-payments/client';
import type { Command } from 'commander';
import { findAccount, needTestMode } from '../account.ts';
import { wrongUsage } from '../failure.ts';
import { describeGroup, findSlotIds, type Group } from '../group.ts';
import { IDEMPOTENCY_KEY } from '../once.ts';
import { CARDS, paySlots } from '../pay.ts';
import { pause, print, type Common, type Shell } from '../shell.ts';
import { formatAmount, parseAmount } from '../values.ts';
import type { AddCommand } from './command.ts';

type PayOptions = Common & {
  readonly slots?: string;
  readonly email?: string;
  readonly name?: string;
  readonly card?: string;
  readonly tip?: number;
  readonly showName?: boolean;
  readonly timeZone?: string;
  readonly idempotencyKey?: string;
};

export function addPay(payments: Command, add: AddCommand, shell: Shell): void {
  add<[string], PayOptions>(payments, 'pay', {
    summary: 'pay slots of a group payment in test mode, as a payer would',
    details: `Cards: ${CARDS.join(', ')}.`,
    arguments: [['<id>', 'id of the group payment']],
    options: [
      ['--slots <numbers>', 'numbers or ids of slots, separated by commas (default: all that are free)'],
      ['--card <card>', 'what becomes of the card (default: approved)'],
      ['--tip <amount>', 'what the payer adds to the slots', parseAmount],
      ['--show-name', 'show the name to whoever has the link of the group payment'],
      ['--time-zone <name>', 'time zone of the mails to the payer, such as Europe/Madrid'],
      ['--email <address>', 'the payer (default: payer@example.com)'],
      ['--name <text>', 'the name on the card (default: Test Payer)'],
      IDEMPOTENCY_KEY,
    ],
    examples: [
      'gp payments pay $ID',
      'gp payments pay $ID --slots 3 --tip 2.50',
      'gp payments pay $ID --slots 1,2 --email ana@example.com --card declined',
    ],
    run: (options, id) => pay(shell, options, id),
  });
}

async function pay(shell: Shell, options: PayOptions, groupId: string): Promise<void> {
  const { client } = needTestMode(await findAccount(shell, options), 'Paying from the command line');
  const { email = 'payer@example.com', name = 'Test Payer', idempotencyKey } = options;
  const payer = { email, name, card: findCard(options.card ?? 'approved') };
  const slotIds = await findSlotIds(client, groupId, options.slots);
  const { tip, showName, timeZone } = options;
  const wish = { slotIds, tip, showName, timeZone };
  const payment = await paySlots(client, { groupId, payer, ...wish, idempotencyKey });
  const group = await waitUntilCaptured(shell, client, groupId);
  print(
    shell,
    options,
    { payment_intent_id: payment.payment_intent_id, ...group },
    `${formatAmount(payment.amount, payment.currency)} authorised.\n${describeGroup(group)}`,
  );
}

function findCard(given: string): TestCard {
  const card = CARDS.find((name) => name === given);
  if (card) return card;
  throw wrongUsage(`${given} is no card: ${CARDS.join(', ')}`);
}

const CAPTURED_WITHIN_MS = 20_000;
const ON_THE_WAY: readonly string[] = ['preauthorised', 'capturing', 'partially_paid'];

/** The hold of the last slot starts the captures: waits until they have ended, where it was the last. */
async function waitUntilCaptured(shell: Shell, client: Client, id: string): Promise<Group> {
  for (const giveUpAt = Date.now() + CAPTURED_WITHIN_MS; ; await pause(shell, 200)) {
    // The payments first: a group that is read after its last capture shows what came of all of them.
    const isSettled = await hasNoCaptureLeft(client, id);
    const group = await client.getGroupPayment(id);
    const { state } = group.group_payment;
    // A group stays partially paid for good where a capture was refused.
    const isOver = !ON_THE_WAY.includes(state) || (state === 'partially_paid' && isSettled);
    if (isOver || Date.now() > giveUpAt || shell.signal.aborted) return group;
  }
}

async function hasNoCaptureLeft(client: Client, id: string): Promise<boolean> {
  const { payments } = await client.listPayments(id, { limit: 100 });
  return payments.every(({ state }) => state !== 'preauthorised' && state !== 'capture_pending');
}
