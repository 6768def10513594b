import type { RefundAnswer, RefundPart, RefundView } from '@gp/contracts';

/**
 * Builds the answer to a refund request from the refund's current view: the payments that were refunded, and those that
 * were not, with the reason. A payment that is still open counts as failed, in the list and in the state (E5).
 */
export function buildAnswer({ refund_id, parts, state_otherwise }: RefundView): RefundAnswer {
  const isRefunded = ({ status }: RefundPart) => status === 'refunded';
  return {
    refund_id,
    refunded: parts.filter(isRefunded).map(({ intent_id, slot_ids }) => ({ intent_id, slot_ids })),
    failed: parts
      .filter((part) => !isRefunded(part))
      .map((part) => ({ intent_id: part.intent_id, psp_code: part.psp_code, ...describeFailure(part) })),
    group_state: state_otherwise,
  };
}

/** Why a payment was not refunded, for a program and for a person. One whose refund may still succeed has the code `outcome_unknown`. */
function describeFailure({ status, error, error_code }: RefundPart): { code: string; error: string } {
  switch (status) {
    case 'failed':
      return { code: error_code ?? 'gateway_refused', error: error ?? 'refused by the gateway' };
    case 'reversed':
      return { code: 'reversed', error: 'the money came back after it was refunded' };
    case 'waiting':
      return { code: 'outcome_unknown', error: 'not taken by the gateway yet, being tried again' };
    default:
      // The outcome is not known: it may still succeed, so the text must not read like a refusal.
      return { code: 'outcome_unknown', error: 'outcome unknown, being verified' };
  }
}
