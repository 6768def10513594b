import { expect, it } from '@jest/globals';
import { listFound, listLookUps, listScreens } from './destinations.ts';

it('the search names the pages of a mode, and none that the mode does not have', () => {
  expect(listScreens('test', 'CLOCK').map(({ to }) => to)).toEqual(['/test/test-clock']);
  expect(listScreens('live', 'clock')).toEqual([]);
  expect(listScreens('live', 'payment').map(({ to }) => to)).toEqual([
    '/live/group-payments',
    '/live/group-payments/new',
  ]);
  expect(listScreens('test', ' ')).toEqual([]);
});

it('the search takes the id of a request to the log of requests, and another id to an event', () => {
  const event = '0198c0de-0000-7000-8000-0000000000a1';
  expect(listLookUps('test', ' req_1 ').map(({ to }) => to)).toEqual(['/test/requests?request_id=req_1']);
  expect(listLookUps('live', event).map(({ to }) => to)).toEqual([`/live/events/${event}`]);
  expect(listLookUps('live', 'ana')).toEqual([]);
});

it('the search shows group payments by the merchant’s own reference, and customers by their name', () => {
  const total = { minor: '3000', currency: 'EUR', text: '30.00' };
  const group = {
    ...{ id: 'g', group_name: 'Padel', merchant_order_id: 'GP-1', client_reference: 'ORD-7', total },
    ...{ state: 'open' as const, expires_at: '', created_at: '', updated_at: '', checkout_url: '' },
  };
  const customer = { id: 'c', email: 'ana@example.com', name: null, created_at: '', last_payment_at: '' };
  const found = listFound('live', { group_payments: [group], customers: [customer] });
  expect(found).toEqual([
    { kind: 'Group payment', title: 'Padel', detail: '€30.00 · open · ORD-7', to: '/live/group-payments/g' },
    { kind: 'Customer', title: 'ana@example.com', detail: 'ana@example.com', to: '/live/customers/c' },
  ]);
});
