import type { Movement, MovementTotal } from '@gp/contracts';
import { moneyView } from '../../domain/money-view.ts';
import type { MovementSum, ShownMovement } from '../api.ts';
import type { Column } from '../request/list-file.ts';

export function movementView({
  group_id,
  intent_id,
  amount_minor,
  currency,
  ...row
}: Movement): ShownMovement {
  return {
    ...row,
    amount: moneyView(amount_minor, currency),
    group_payment_id: group_id,
    payment_intent_id: intent_id,
  };
}

export function totalView({ kind, count, currency, amount_minor, tips_minor }: MovementTotal): MovementSum {
  return { kind, count, amount: moneyView(amount_minor, currency), tips: moneyView(tips_minor, currency) };
}

/** Returns a movement as a row of a file: its amount in currency units with all decimals, and in minor units. */
export function movementRow(movement: Movement) {
  const { id, at, kind, is_tip, currency, amount_minor, psp_code, group_id, intent_id } = movement;
  const { group_name, merchant_order_id, client_reference } = movement;
  return {
    ...{ id, at, kind, is_tip, currency, amount: moneyView(amount_minor, currency).text, amount_minor },
    ...{ psp_code, payment_intent_id: intent_id, group_payment_id: group_id },
    ...{ group_name, merchant_order_id, client_reference },
  };
}
export type MovementRow = ReturnType<typeof movementRow>;

export const MOVEMENT_COLUMNS: readonly Column<MovementRow>[] = [
  'at',
  'kind',
  'is_tip',
  'currency',
  'amount',
  'amount_minor',
  'psp_code',
  'group_payment_id',
  'group_name',
  'merchant_order_id',
  'client_reference',
  'payment_intent_id',
  'id',
];
