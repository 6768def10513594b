import type { GroupSum, GroupView, PaymentView } from '@gp/contracts';
import { moneyView } from '../../domain/money-view.ts';
import type { Column } from '../request/list-file.ts';

/**
 * A group payment as a row of a file. Amounts are in currency units with all decimals, and in minor units: `on_hold` is held
 * and not captured, `net` captured and not refunded, as in statements.
 */
export function groupRow(group: GroupView, sum: GroupSum | undefined) {
  const { id, group_name, merchant_order_id, client_reference = null, state, currency } = group;
  const { created_at, updated_at, expires_at, metadata } = group;
  return {
    ...{ id, group_name, merchant_order_id, client_reference, state, currency },
    ...amounts(currency, {
      amount_total: group.total_minor,
      amount_on_hold: sum?.held_minor ?? '0',
      amount_net: sum?.captured_minor ?? '0',
      amount_refunded: sum?.refunded_minor ?? '0',
    }),
    ...{ created_at, updated_at, expires_at, metadata, is_disputed: sum?.is_disputed ?? false },
  };
}
export type GroupRow = ReturnType<typeof groupRow>;

export const GROUP_COLUMNS: readonly Column<GroupRow>[] = [
  'id',
  'group_name',
  'merchant_order_id',
  'client_reference',
  'state',
  'currency',
  'amount_total',
  'amount_on_hold',
  'amount_net',
  'amount_refunded',
  'amount_total_minor',
  'amount_on_hold_minor',
  'amount_net_minor',
  'amount_refunded_minor',
  'created_at',
  'updated_at',
  'expires_at',
  'metadata',
  'is_disputed',
];

/**
 * A payment as a row of a file, with what identifies its group payment, its payer, and it at the gateway. `tip` is a part of the
 * amount.
 */
export function paymentRow(group: GroupView, payment: PaymentView) {
  const { id, state, psp_code, psp_reference, disputed, unknown, failure, slot_ids, created_at } = payment;
  const { currency, group_name, merchant_order_id, client_reference = null } = group;
  return {
    ...{ id, state, currency },
    ...amounts(currency, {
      amount: payment.amount_minor,
      amount_captured: payment.captured_minor,
      amount_refunded: payment.refunded_minor,
      amount_tip: payment.tip_minor ?? '0',
    }),
    ...{ psp_code, psp_reference, created_at },
    ...{ payer_email: payment.email, payer_name: payment.name, customer_id: payment.customer_id },
    ...{ group_payment_id: group.id, group_name, merchant_order_id, client_reference, slot_ids },
    ...{ is_disputed: disputed, is_unknown: unknown },
    failure: failure && { code: failure.code, message: failure.message },
  };
}
export type PaymentRow = ReturnType<typeof paymentRow>;

export const PAYMENT_COLUMNS: readonly Column<PaymentRow>[] = [
  'id',
  'state',
  'currency',
  'amount',
  'amount_captured',
  'amount_refunded',
  'amount_tip',
  'amount_minor',
  'amount_captured_minor',
  'amount_refunded_minor',
  'amount_tip_minor',
  'psp_code',
  'psp_reference',
  'created_at',
  'payer_email',
  'payer_name',
  'customer_id',
  'group_payment_id',
  'group_name',
  'merchant_order_id',
  'client_reference',
  ['slot_ids', ({ slot_ids }) => slot_ids.join(' ')],
  'is_disputed',
  'is_unknown',
  ['failure_code', ({ failure }) => failure?.code],
  ['failure_message', ({ failure }) => failure?.message],
];

type Amounts<Name extends string> = Readonly<Record<Name | `${Name}_minor`, string>>;

function amounts<Name extends string>(
  currency: string,
  minor: Readonly<Record<Name, string>>,
): Amounts<Name> {
  const named = Object.entries<string>(minor).flatMap(([name, value]) => [
    [name, moneyView(value, currency).text],
    [`${name}_minor`, value],
  ]);
  return Object.fromEntries(named) as Amounts<Name>;
}
