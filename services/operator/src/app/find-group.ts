import type { Bus } from '@gp/bus';
import {
  findGroupByOrderForOperator,
  findPaymentByReference,
  inspectGroup,
  listGroupsForOperator,
  type GroupView,
  type Mode,
  type PspCode,
} from '@gp/contracts';
import { notFound } from '@gp/errors';

/** Groups listed of one payer: more than anybody reads. */
const MOST_GROUPS = 100;

type MerchantOrder = {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly merchant_order_id: string;
};

/** Returns the group of a merchant's order; rejects with `not_found`. */
export async function findGroup(bus: Bus, order: MerchantOrder): Promise<object> {
  const { group } = await bus.call(findGroupByOrderForOperator, order);
  if (!group) throw notFound('group of this order');
  return describeGroup(group);
}

type Payer = { readonly merchant_id: string; readonly mode: Mode; readonly customer_email: string };

/** Returns the newest groups of which a payer started a payment, at most 100, and whether there are more. */
export async function findGroupsOfPayer(bus: Bus, payer: Payer): Promise<object> {
  const { groups, next } = await bus.call(listGroupsForOperator, { ...payer, limit: MOST_GROUPS, offset: 0 });
  return { groups: groups.map(describeGroup), has_more: next !== null };
}

/**
 * Returns the groups with a payment that a gateway calls by a reference, and the ids of these payments; rejects with
 * `not_found` when the gateway's adapter knows no such payment.
 */
export async function findGroupsOfReference(
  bus: Bus,
  { psp, psp_reference }: { readonly psp: PspCode; readonly psp_reference: string },
): Promise<object> {
  const { payments } = await bus.call(findPaymentByReference(psp), { psp_reference });
  if (payments.length === 0) throw notFound('payment of this reference');
  const ids = [...new Set(payments.map(({ group_id }) => group_id))];
  const groups = await Promise.all(
    ids.map(async (group_id) => {
      const { id, merchant_id, mode, state } = (await bus.call(inspectGroup, { group_id })).group;
      const ofGroup = payments.filter((payment) => payment.group_id === group_id);
      return { id, merchant_id, mode, state, intents: ofGroup.map(({ intent_id }) => intent_id) };
    }),
  );
  return { groups };
}

/** The link to the payers' page is left out, because it permits to pay. */
function describeGroup(group: GroupView) {
  const { id, merchant_id, mode, group_name, merchant_order_id, state, expires_at, created_at } = group;
  return { id, merchant_id, mode, group_name, merchant_order_id, state, expires_at, created_at };
}
