import { expect, it } from '@jest/globals';
import { GroupPaymentsError } from '@group-payments/client';
import { describeFailure, EXIT } from './failure.ts';

it('a refund by which nothing was refunded is described with the reason of each gateway', () => {
  const failed = [{ payment_intent_id: 'p', psp_code: 'gateway_c', error: 'no refunds here' }];
  const body = { refunded_payment_intents: [], refunded_slot_ids: [], failed, group_state: 'refund_failed' };
  const error = new GroupPaymentsError(502, body, new Headers({ 'request-id': 'req_1' }));
  const message = 'Nothing was refunded. gateway_c: no refunds here';
  expect(describeFailure(error)).toEqual({
    exitCode: EXIT.failed,
    lines: [`${message} (502 refund_failed)`, 'Request: req_1'],
    body: { status: 502, code: 'refund_failed', message, request_id: 'req_1' },
  });
});

it('an answer that is no error of the API is described with its status alone', () => {
  const error = new GroupPaymentsError(502, '<html>', new Headers());
  expect(describeFailure(error).lines).toEqual(['the API answered 502 (502)']);
});
