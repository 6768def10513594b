import type { HttpRequest } from '@gp/http';
import type { Reply, Stage } from '@gp/psp-sandbox/kit';
import { callAbout, findPayment, lockPayment } from './find.ts';
import { readIdempotentCall, parseMetadata, readBody, parseReference } from './request.ts';
import { acceptStep } from './steps.ts';

/** `POST /payments/{id}/voids`: releases the hold; accepted now, done a moment later. */
export async function voidPayment(stage: Stage, channel: string, request: HttpRequest): Promise<Reply> {
  const found = await findPayment(stage, channel, request.params['id'] ?? '');
  const body = readBody(request);
  const wish = { reference: parseReference(body), metadata: parseMetadata(body) };
  const call = callAbout(found, 'void', request, readIdempotentCall(request, channel));
  return stage.playCall(call, async (tx, conduct) => {
    const payment = await lockPayment(tx, found.pspReference);
    return acceptStep(tx, payment, 'void', wish, conduct, stage.confirmationDelayMs);
  });
}
