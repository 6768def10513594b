import { expect, it } from '@jest/globals';
import { findGroupPaymentId } from './group-of-request.ts';

const id = '0198c0de-0000-7000-8000-000000000001';
const path = '/v1/group-payments';

it.each([
  [`${path}/${id}`, null],
  [`${path}/${id.toUpperCase()}/pay`, null],
  [path, { group_payment: { id } }],
])('the request %s with the answer %j is about the group payment', (of, response_body) => {
  expect(findGroupPaymentId({ path: of, response_body })).toBe(id);
});

it.each([
  [path, null],
  [`${path}/${id}x`, null],
  [`/v1/events/${id}`, { id }],
  [path, { group_payment: null }],
  [path, { group_payment: { id: 7 } }],
])('the request %s with the answer %j is about no group payment', (of, response_body) => {
  expect(findGroupPaymentId({ path: of, response_body })).toBeUndefined();
});
