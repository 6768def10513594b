import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { advice, catalogue, documentedTexts, errorCodes, type ErrorCode } from '@gp/errors';
import { openApi } from '@gp/reference';
import { root } from '../support/stack.ts';

const EDGE = 'services/api-gateway/test';

/** Where each code is met over HTTP: a file that provokes it and reads the answer. */
const metIn: Readonly<Record<ErrorCode, string>> = {
  validation_error: `${EDGE}/create-group-payment.component.test.ts`,
  invalid_json: 'test/journeys/routes.journey.test.ts',
  malformed_request: 'libs/http/src/server.test.ts',
  invalid_slot_ids: 'test/journeys/main-job.journey.test.ts',
  card_declined: 'test/journeys/main-job.journey.test.ts',
  authentication_required: 'test/journeys/main-job.journey.test.ts',
  too_many_declines: 'test/journeys/main-job.journey.test.ts',
  slot_no_longer_available: 'test/journeys/main-job.journey.test.ts',
  confirm_not_supported: 'test/journeys/routes.journey.test.ts',
  amount_below_gateway_minimum: 'test/journeys/main-job.journey.test.ts',
  amount_above_gateway_maximum: 'test/journeys/main-job.journey.test.ts',
  currency_not_supported_by_gateway: 'test/journeys/main-job.journey.test.ts',
  unauthorized: `${EDGE}/authentication.component.test.ts`,
  insufficient_scope: `${EDGE}/authentication.component.test.ts`,
  not_found: 'test/journeys/routes.journey.test.ts',
  route_not_found: 'test/journeys/routes.journey.test.ts',
  method_not_allowed: 'test/journeys/routes.journey.test.ts',
  request_timeout: 'libs/http/src/server.test.ts',
  conflict: 'test/journeys/webhooks.journey.test.ts',
  duplicate_merchant_order_id: `${EDGE}/create-group-payment.component.test.ts`,
  group_expired: 'test/journeys/main-job.journey.test.ts',
  group_not_payable: `${EDGE}/pay-group-payment.component.test.ts`,
  no_payable_slots: 'test/journeys/main-job.journey.test.ts',
  no_active_gateway: 'test/journeys/routes.journey.test.ts',
  nothing_to_refund: 'test/journeys/refunds.journey.test.ts',
  slots_not_captured: 'test/journeys/refunds.journey.test.ts',
  test_payments_unavailable: `${EDGE}/create-test-payment.component.test.ts`,
  idempotency_key_in_use: `${EDGE}/idempotency.component.test.ts`,
  payload_too_large: 'test/journeys/routes.journey.test.ts',
  uri_too_long: 'libs/http/src/server.test.ts',
  unsupported_media_type: 'test/journeys/routes.journey.test.ts',
  idempotency_key_reused: 'test/journeys/routes.journey.test.ts',
  rate_limited: `${EDGE}/limits.component.test.ts`,
  headers_too_large: 'libs/http/src/server.test.ts',
  internal_error: `${EDGE}/create-group-payment.component.test.ts`,
  outcome_unknown: `${EDGE}/confirm-payment.component.test.ts`,
  gateway_error: `${EDGE}/pay-group-payment.component.test.ts`,
  gateway_unavailable: `${EDGE}/pay-group-payment.component.test.ts`,
  service_unavailable: `${EDGE}/outage.component.test.ts`,
  deadline_exceeded: `${EDGE}/pay-group-payment.component.test.ts`,
};

describe('every error code', () => {
  it.each(Object.entries(metIn))('the error code %s is expected by name in %s', async (code, file) => {
    expect(await readFile(join(root, file), 'utf8')).toContain(`'${code}'`);
  });

  it('every error code has a status, a sentence, a cause, a remedy and advice on retries, and the published guide has all of them', async () => {
    const { info } = (await openApi()) as { info: { description: string } };
    const rows = errorCodes.map((code) => {
      const { status, text, retryable, anchor } = catalogue[code];
      const { cause, remedy } = advice[code];
      return `| <a id="${anchor}"></a>\`${code}\` | ${status} | ${text} | ${cause} | ${remedy} | ${retryable ? 'yes' : ''} |`;
    });
    const told = info.description.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
    expect(rows.filter((row) => !told.includes(row.replace(/\s+/g, ' ').trim()))).toEqual([]);
  });

  it('every error code is an example of an operation that can return it, unless no route leads to it', async () => {
    const published = JSON.stringify(await openApi());
    const unseen = errorCodes.filter((code) => !published.includes(`"code":"${code}"`));
    expect(unseen).toEqual(['route_not_found', 'method_not_allowed']);
  });
});

it('each documented sentence is expected word for word by a test that talks HTTP', async () => {
  const files = [
    `${EDGE}/create-group-payment.component.test.ts`,
    `${EDGE}/pay-group-payment.component.test.ts`,
  ];
  const texts = (await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))).join('\n');
  expect(Object.values(documentedTexts).filter((text) => !texts.includes(text))).toEqual([]);
});
