import type { Client, GroupPaymentWithSlots } from '@group-payments/client';
import { CommandFailure } from './failure.ts';
import { alignColumns, formatAmount, parseList } from './values.ts';

export type Group = GroupPaymentWithSlots;

/** Finds slots by their numbers in the group, from 1, or by their ids; undefined where none are named. */
export async function findSlotIds(
  client: Client,
  id: string,
  named: string | undefined,
): Promise<string[] | undefined> {
  if (named === undefined) return undefined;
  const { payment_slots } = await client.getGroupPayment(id);
  return parseList(named).map((name) => {
    const slot = payment_slots.find((each) => each.id === name || String(each.sequence_no) === name);
    if (slot) return slot.id;
    throw new CommandFailure(`There is no slot ${name}; there are 1 to ${payment_slots.length}.`);
  });
}

function describeMinimum({ capture_at_expiry: minimum, currency }: Group['group_payment']): string[] {
  if (!minimum) return [];
  const { minimum_amount: amount, minimum_slots: slots } = minimum;
  const enough = amount === undefined ? `${slots} held slots` : formatAmount(amount, currency);
  return [`          captured then from ${enough} on`];
}

function describeTips({ tips, currency }: Group['group_payment']): string[] {
  return tips ? [`Tips:     up to ${formatAmount(tips.max_amount, currency)} for each payment`] : [];
}

/** Writes a group payment with its slots for people. */
export function describeGroup(shown: Group): string {
  const { group_payment: group, payment_slots, checkout_url, organiser_url } = shown;
  const slots = payment_slots.map((slot) => [
    `  ${slot.sequence_no}`,
    formatAmount(slot.amount, slot.currency),
    slot.state,
    slot.id,
    slot.label ?? '',
  ]);
  return [
    `${group.group_name}: ${formatAmount(group.total_amount, group.currency)}, ${group.state}`,
    `Id:       ${group.id}`,
    `Order:    ${group.merchant_order_id}`,
    ...(group.client_reference === null ? [] : [`Yours:    ${group.client_reference}`]),
    `Expires:  ${group.expires_at}`,
    ...describeMinimum(group),
    ...describeTips(group),
    `Checkout: ${checkout_url}`,
    ...(organiser_url === undefined ? [] : [`Organise: ${organiser_url}`]),
    'Slots:',
    alignColumns(slots),
  ].join('\n');
}
