import type { HttpRequest } from '@gp/http';
import type { Reply, Stage } from '@gp/psp-sandbox/kit';
import { callAbout, findPayment, lockPayment } from './find.ts';
import { parseAmount, readIdempotentCall, parseMetadata, readBody, parseReference } from './request.ts';
import { acceptStep } from './steps.ts';

/**
 * `POST /payments/{id}/refunds`: refunds the whole rest or the requested part; accepted now, done a moment later.
 */
export async function refund(stage: Stage, channel: string, request: HttpRequest): Promise<Reply> {
  const found = await findPayment(stage, channel, request.params['id'] ?? '');
  const body = readBody(request);
  const wish = {
    amountMinor: parseAmount(body),
    reference: parseReference(body),
    metadata: parseMetadata(body),
  };
  const call = callAbout(found, 'refund', request, readIdempotentCall(request, channel));
  return stage.playCall(call, async (tx, conduct) => {
    const payment = await lockPayment(tx, found.pspReference);
    return acceptStep(tx, payment, 'refund', wish, conduct, stage.confirmationDelayMs);
  });
}
