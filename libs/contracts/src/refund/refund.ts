import Type, { type Static } from '@gp/bundled/typebox';
import { PspCode, RefundRequest, RefundedState, Uuid } from '../common.ts';
import { rpc } from '../contract.ts';

/** The final reply to a refund request: a repeat of the command gets the same. */
export const RefundAnswer = Type.Object({
  refund_id: Uuid,
  refunded: Type.Array(Type.Object({ intent_id: Uuid, slot_ids: Type.Array(Uuid) })),
  /** Refused, or not known to have succeeded when the time for the reply was over. */
  failed: Type.Array(
    Type.Object({
      intent_id: Uuid,
      psp_code: PspCode,
      error: Type.String(),
      /** Absent in answers that release 1.0 stored. */
      code: Type.Optional(Type.String()),
    }),
  ),
  group_state: RefundedState,
});
export type RefundAnswer = Static<typeof RefundAnswer>;

/**
 * Refunds a group or some of its slots and waits up to 20 s for the gateways (E1–E10). A repeat joins a refund
 * that still runs, or resumes it after a crash. Errors: those of openRefund.
 */
export const requestRefund = rpc('rpc.refund.refunds.request.v1', {
  repeatable: true,
  request: RefundRequest,
  response: RefundAnswer,
});
