import type { HttpRequest } from '@gp/http';
import type { Reply, Stage } from '@gp/psp-sandbox/kit';
import { callAbout, findPayment, lockPayment } from './find.ts';
import { amountOf, idempotencyOf, metadataOf, readBody, referenceOf } from './request.ts';
import { acceptStep } from './steps.ts';

/**
 * `POST /payments/{id}/captures`: captures the whole hold or the requested part; accepted now, done a moment
 * later.
 */
export async function capture(stage: Stage, channel: string, request: HttpRequest): Promise<Reply> {
  const found = await findPayment(stage, channel, request.params['id'] ?? '');
  const body = readBody(request);
  const wish = { amountMinor: amountOf(body), reference: referenceOf(body), metadata: metadataOf(body) };
  const call = callAbout(found, 'capture', request, idempotencyOf(request, channel));
  return stage.playCall(call, async (desk, conduct) => {
    const payment = await lockPayment(desk, found.pspReference);
    return acceptStep(desk, payment, 'capture', wish, conduct, stage.confirmationDelayMs);
  });
}
