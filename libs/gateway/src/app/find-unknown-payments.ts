import type { findUnknownPayments as contract, Operator, RequestOf, ResponseOf } from '@gp/contracts';
import { raiseTask, recordAction } from '@gp/outbox';
import type { AdapterCore } from '../adapter.ts';
import { findKnownReferences } from '../db/gateway-calls.ts';

type Contract = ReturnType<typeof contract>;

/**
 * Opens a task for each of these payments that the gateway has and our database has not. The payments are not changed:
 * only an operator can find out the purpose of a payment that the ledger does not know.
 */
export function findUnknownPayments({ db, psp }: AdapterCore) {
  return async (request: RequestOf<Contract>, actor: Operator): Promise<ResponseOf<Contract>> => {
    const { merchant_id: merchantId, mode } = request;
    const references = [...new Set(request.psp_references)];
    const known = await findKnownReferences(db, { pspReferences: references, merchantId, mode });
    const unknown = references.filter((reference) => !known.has(reference));
    await db.transaction(async (tx) => {
      const details = { merchant_id: merchantId, mode, known: known.size, strays: unknown.length };
      await recordAction(tx, { actor, action: 'books.find-strays', subject: psp, details });
      for (const psp_reference of unknown)
        await raiseTask(tx, {
          key: `unknown_payment:${merchantId}:${mode}:${psp_reference}`,
          code: 'unknown_payment',
          merchantId,
          mode,
          details: { psp_code: psp, psp_reference },
        });
    });
    return { known: known.size, strays: unknown };
  };
}
