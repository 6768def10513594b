import type { CustomerView } from '@gp/contracts';
import type { Caller } from '../app/callers/caller.ts';

/** A customer as lists show them. The names of the fields are those of a payment. */
export function customerItem({ id, email, name, ...instants }: CustomerView, { mode }: Pick<Caller, 'mode'>) {
  return {
    customer_id: id,
    customer_email: email,
    customer_name: name,
    created_at: instants.created_at,
    last_payment_at: instants.last_payment_at,
    is_test_mode: mode === 'test',
  };
}
