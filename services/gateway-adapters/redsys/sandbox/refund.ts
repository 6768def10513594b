import type { Reply, Stage } from '@gp/psp-sandbox/kit';
import { REFUND_NOT_ALLOWED } from './errors.ts';
import { signedAnswer, type Operation } from './steps.ts';

/** Type 3, a refund: refused with a signed answer, since these merchants have no permission for refunds. */
export function refund(_stage: Stage, { found, amountMinor, signing }: Operation): Promise<Reply> {
  const result = { type: '3', amountMinor, response: REFUND_NOT_ALLOWED };
  return Promise.resolve({ kind: 'answer', answer: signedAnswer(found, result, signing, 'refused') });
}
