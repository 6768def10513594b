import { expect, it } from '@jest/globals';
import { openApi } from '../src/index.ts';
import { isObject, type JsonObject } from '../src/json.ts';
import { findGeneratorFaults } from './find-generator-faults.ts';

it('openapi.json gives generators of clients one type for every name: errors by reference, named bodies and choices', async () => {
  expect(findGeneratorFaults(await openApi())).toEqual([]);
});

type Offence = [fault: string, place: readonly string[], change: (before: unknown) => unknown];

const operation = ['paths', '/v1/webhooks', 'get'];
const json = ['content', 'application/json', 'schema'];
const schemas = ['components', 'schemas'];
const inline = { type: 'object', properties: { id: { type: 'string' } } };
const named = (name: string) => (before: unknown) => ({ ...(before as object), [name]: { type: 'string' } });

const offences: Offence[] = [
  [
    'listWebhooks 401: the error is written inline',
    [...operation, 'responses', '401'],
    () => ({ description: 'No.' }),
  ],
  [
    'listWebhooks 200: the body is no named schema',
    [...operation, 'responses', '200', ...json],
    () => ({ type: 'array', items: { type: 'string' } }),
  ],
  [
    'createWebhook request: the body is no named schema',
    ['paths', '/v1/webhooks', 'post', 'requestBody', ...json],
    () => ({ type: 'string' }),
  ],
  [
    'list_webhooks: the operationId is not in camel case',
    [...operation, 'operationId'],
    () => 'list_webhooks',
  ],
  ['createWebhook: two operations have the name', [...operation, 'operationId'], () => 'createwebhook'],
  ['listWebhooksResponse: two types would have the name', schemas, named('ListWebhooksResponse')],
  ['Webhookendpoint: two types would have the name', schemas, named('Webhookendpoint')],
  ['NotFound: two types would have the name', schemas, named('NotFound')],
  [
    'on_group_payment_paid: its file would replace that of the operations with the tag Webhooks',
    ['webhooks', 'group_payment.paid', 'post', 'tags'],
    () => ['Webhooks'],
  ],
  [
    'components/schemas/Payment/properties/failure: the object has fields and no name',
    [...schemas, 'Payment', 'properties', 'failure'],
    () => inline,
  ],
  [
    'components/schemas/ErrorResponse/properties/details: the items of the list have no type',
    [...schemas, 'ErrorResponse', 'properties', 'details', 'items'],
    () => ({}),
  ],
  [
    'components/schemas/Payment/properties/amount: the integer needs the format int64',
    [...schemas, 'Payment', 'properties', 'amount'],
    () => ({ type: 'integer', maximum: 2 ** 31 }),
  ],
  [
    'components/schemas/WebhookRecovery/properties/status: the choice stands elsewhere, too, and has no name',
    [...schemas, 'WebhookRecovery', 'properties', 'status'],
    () => ({ enum: ['settled', 'advancing'] }),
  ],
];

/** Returns a copy in which the value at a place is another one. */
function change(
  value: unknown,
  [key, ...rest]: readonly string[],
  to: (before: unknown) => unknown,
): unknown {
  if (key === undefined) return to(value);
  if (!isObject(value) || !Object.hasOwn(value, key)) throw new Error(`there is no ${key}`);
  return { ...value, [key]: change(value[key], rest, to) };
}

it.each(offences)(
  'the check of openapi.json for generators finds a planted fault: %s',
  async (fault, place, to) => {
    const spoilt = change(await openApi(), place, to) as JsonObject;
    expect(findGeneratorFaults(spoilt)).toContain(fault);
  },
);
