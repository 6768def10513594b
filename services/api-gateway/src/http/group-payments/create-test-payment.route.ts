import { publicApi } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { toScope, type Caller } from '../../app/callers/caller.ts';
import { TEST_PAYMENT_PATIENCE_MS } from '../../app/payments/test-payments.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import { answerOnce } from '../request/idempotency.ts';
import { bodyReader } from '../request/validator.ts';
import type { RouteParts } from '../route-parts.ts';
import { buildPayment } from './payment.view.ts';
import { readTip } from './read-tip.ts';

const read = bodyReader(publicApi.TestPaymentRequest);

/** POST /v1/group-payments/{id}/test-payments */
export function createTestPayment(parts: RouteParts): Handle {
  const { once, services, testPayments, admitPayer, notePayment } = parts;
  return async (request, caller) => {
    assertTestMode(caller);
    const group_id = pathId(request, 'group payment');
    const body = read(request);
    const { customer_email, customer_name, show_name, slot_ids, time_zone, card = 'approved' } = body.plain;
    const payer = { groupId: group_id, email: customer_email };
    admitPayer(request, payer);
    return answerOnce(once, { request, caller, body: body.exact }, async (identity) => {
      const deadline = Date.now() + TEST_PAYMENT_PATIENCE_MS;
      await testPayments.assertAvailable();
      const { principal } = caller;
      const owner = { ...toScope(caller), principal, group_id };
      const { payment_intent_id, psp_code, client } = await services.startPayment({
        ...identity,
        ...owner,
        customer_email,
        ...(customer_name !== undefined && { customer_name }),
        ...(show_name && { show_name }),
        ...(slot_ids && { slot_ids: slot_ids.map((id) => id.toLowerCase()) }),
        ...readTip(body),
        ...(time_zone !== undefined && { time_zone }),
      });
      notePayment(request, caller, payment_intent_id, payer);
      const begin = { ...owner, payment_intent_id };
      const started = { begin, psp_code, client, card, payerName: customer_name };
      const { payment, currency } = await testPayments.play(started, deadline);
      return { status: 201, body: buildPayment(payment, { id: group_id, currency }, caller) };
    });
  };
}

/** A live key is the wrong credential here, as it is for the test clock: real payers pay with real cards. */
function assertTestMode({ mode }: Caller): void {
  if (mode !== 'test')
    throw new AppError('insufficient_scope', { message: 'test payments are for test keys' });
}
