import type { PspCode } from '@gp/gateway-registry';
import { AppError, notFound, validationError } from '@gp/errors';
import type { HttpRequest, HttpResponse } from '@gp/http';
import type { ExternalAction, PlayedGateway } from '../app/gateway.ts';
import type { Answer, Books, BooksTransaction, RecordedCall } from '../app/ports.ts';
import type { Payment } from '../domain/payment.ts';
import { readObject } from './read.ts';

export type PaymentControls = {
  readonly books: Books;
  readonly gateways: ReadonlyMap<PspCode, PlayedGateway>;
};

/** `POST /control/payments/{psp_reference}/lapse`: the hold expires at the gateway. */
export async function lapsePayment(controls: PaymentControls, request: HttpRequest): Promise<HttpResponse> {
  return onPayment(controls, request, async (tx, payment, gateway) => {
    if (!(await gateway.lapse(tx, payment)))
      throw new AppError('conflict', { message: 'the payment holds nothing' });
    return 'lapse';
  });
}

const ACTIONS: readonly ExternalAction[] = ['capture', 'refund', 'void', 'dispute', 'win_dispute'];

/** `POST /control/payments/{psp_reference}/external`: an action in the gateway's own dashboard. */
export async function actExternally(controls: PaymentControls, request: HttpRequest): Promise<HttpResponse> {
  const wanted = readObject(request)['action'];
  const action = ACTIONS.find((known) => known === wanted);
  if (action === undefined) throw validationError('action', `must be one of ${ACTIONS.join(', ')}`);
  return onPayment(controls, request, async (tx, payment, gateway) => {
    assertDone(await gateway.act(tx, payment, action));
    return action;
  });
}

function assertDone({ status, body }: Answer): void {
  if (status < 300) return;
  const details = [{ param: 'action', reason: JSON.stringify(body) }];
  throw new AppError('conflict', { message: 'the gateway refuses', details });
}

async function onPayment(
  { books, gateways }: PaymentControls,
  request: HttpRequest,
  work: (
    tx: BooksTransaction,
    payment: Payment,
    gateway: PlayedGateway,
  ) => Promise<RecordedCall['operation']>,
): Promise<HttpResponse> {
  const pspReference = request.params['psp_reference'] ?? '';
  await books.transaction(async (tx) => {
    for (const [code, gateway] of gateways) {
      const payment = await tx.lock(code, pspReference);
      if (payment === undefined) continue;
      const operation = await work(tx, payment, gateway);
      return tx.recordCall({ pspReference, operation, outcome: 'external', fault: null, at: tx.now });
    }
    throw notFound('payment');
  });
  return { status: 204 };
}
