import type { CustomerSum, PaymentOfGroup } from '@gp/contracts';
import { moneyView } from '../../domain/money-view.ts';
import { tellFailure } from '../../domain/timeline.ts';
import type { CustomerAmounts, CustomerPayment } from '../api.ts';

/** Returns the sums of a customer's payments in one currency. */
export function amountsView({ currency, ...sum }: CustomerSum): CustomerAmounts {
  return {
    on_hold: moneyView(sum.on_hold_minor, currency),
    captured: moneyView(sum.captured_minor, currency),
    refunded: moneyView(sum.refunded_minor, currency),
  };
}

/** Returns a payment of a customer, with the group payment that it is of. */
export function paymentView({ currency, ...payment }: PaymentOfGroup): CustomerPayment {
  const { id, group_id, group_name = null, psp_code, state, disputed, failure, created_at } = payment;
  return {
    ...{ id, group_payment_id: group_id, group_name, psp_code, state },
    amount: moneyView(payment.amount_minor, currency),
    refunded: moneyView(payment.refunded_minor, currency),
    is_disputed: disputed,
    failure: tellFailure(failure ?? null),
    created_at,
  };
}
