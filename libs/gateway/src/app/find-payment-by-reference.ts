import type { findPaymentByReference as contract, RequestOf, ResponseOf } from '@gp/contracts';
import type { AdapterCore } from '../adapter.ts';
import { findPaymentsByReference } from '../db/payments-by-reference.ts';

type Contract = ReturnType<typeof contract>;

/** Finds payments by the gateway's reference, for an operator who knows nothing else about them. */
export function findPaymentByReference({ db }: Pick<AdapterCore, 'db'>) {
  return async ({ psp_reference }: RequestOf<Contract>): Promise<ResponseOf<Contract>> => ({
    payments: await findPaymentsByReference(db, psp_reference),
  });
}
