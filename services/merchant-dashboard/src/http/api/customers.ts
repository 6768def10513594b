import type { CustomerView, IntentState, PspCode } from '@gp/contracts';
import type { ToldFailure } from '../../domain/timeline.ts';
import type { Money } from './money.ts';

/** A customer as lists show them; an erased one has an address under `.invalid` and no name. */
export type CustomerItem = Readonly<CustomerView>;
/**
 * GET /api/{mode}/customers?customer_email=&created_after=&created_before=&last_payment_after=&last_payment_before=&cursor=&limit=
 * The one with the latest payment comes first.
 */
export type CustomerPage = {
  readonly customers: readonly CustomerItem[];
  readonly next_cursor: string | null;
};
export type CustomerAmounts = { readonly on_hold: Money; readonly captured: Money; readonly refunded: Money };
/** GET /api/{mode}/customers/{id} */
export type CustomerDetail = CustomerItem & {
  readonly payment_counts: readonly { readonly state: IntentState; readonly count: number }[];
  /** One for each currency. */
  readonly amounts: readonly CustomerAmounts[];
};
export type CustomerPayment = {
  readonly id: string;
  readonly group_payment_id: string;
  /** Null while a ledger of an earlier release answers. */
  readonly group_name: string | null;
  readonly psp_code: PspCode;
  readonly state: IntentState;
  readonly amount: Money;
  readonly refunded: Money;
  readonly is_disputed: boolean;
  readonly failure: ToldFailure | null;
  readonly created_at: string;
};
/** GET /api/{mode}/customers/{id}/payments?cursor=&limit= in all group payments, newest first. */
export type CustomerPaymentPage = {
  readonly payments: readonly CustomerPayment[];
  readonly next_cursor: string | null;
};
