import type { RefundAnswer, RefundPart, RefundView } from '@gp/contracts';

/**
 * What the asker is told of a refund as it stands: what went back, what did not and why. What is still open counts as
 * failed, in the list and in the state (E5).
 */
export function answerOf({ refund_id, parts, state_otherwise }: RefundView): RefundAnswer {
  const isRefunded = ({ status }: RefundPart) => status === 'refunded';
  return {
    refund_id,
    refunded: parts.filter(isRefunded).map(({ intent_id, slot_ids }) => ({ intent_id, slot_ids })),
    failed: parts
      .filter((part) => !isRefunded(part))
      .map((part) => ({ intent_id: part.intent_id, psp_code: part.psp_code, error: errorOf(part) })),
    group_state: state_otherwise,
  };
}

function errorOf({ status, error }: RefundPart): string {
  switch (status) {
    case 'failed':
      return error ?? 'refused by the gateway';
    case 'reversed':
      return 'the money came back after it was refunded';
    case 'waiting':
      return 'not taken by the gateway yet, being tried again';
    default:
      // Nobody can tell yet: it may still succeed, and must not read like a refusal.
      return 'outcome unknown, being verified';
  }
}
