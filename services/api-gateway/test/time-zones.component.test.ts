import { expect, it } from '@jest/globals';
import { useEdge } from './support/shared-edge.ts';

const shared = useEdge();

const GROUP = '0198c3f0-0000-7000-8000-00000000000a';
const PAY = `/v1/group-payments/${GROUP}/pay`;
const payer = { customer_email: 'ana@example.com' };
const zones = () => shared.edge.fakes.received.pay.map(({ time_zone }) => time_zone);

it('a merchant’s server, and a browser with a session token, say in which time zone the payer is (Q105)', async () => {
  const key = await shared.token(GROUP);
  for (const as of [{}, { key }])
    expect((await shared.edge.post(PAY, { ...payer, time_zone: 'Europe/Madrid' }, as)).status).toBe(201);
  expect(zones()).toEqual(['Europe/Madrid', 'Europe/Madrid']);
});

it('a test payment says it, too, and a payment without the field says nothing of it (Q105)', async () => {
  const path = `/v1/group-payments/${GROUP}/test-payments`;
  await shared.edge.post(path, { ...payer, time_zone: 'Asia/Tokyo' });
  await shared.edge.post(PAY, payer);
  expect(zones()).toEqual(['Asia/Tokyo', undefined]);
  expect(shared.edge.fakes.received.pay[1]).not.toHaveProperty('time_zone');
});

it.each([
  '',
  ' ',
  '+05:30',
  'Europe/Madrid ',
  'Europe/Madrid\n',
  'UTC\u0007',
  'Europe/\u202eMadrid',
  "'; drop table customers; --",
  'x'.repeat(65),
  null,
  1,
  true,
  {},
  ['Europe/Madrid'],
])('time_zone %j is refused, and the field is named (Q105)', async (time_zone) => {
  const { status, body } = await shared.edge.post(PAY, { ...payer, time_zone });
  expect([status, body['code'], body['param']]).toEqual([400, 'validation_error', 'time_zone']);
  expect(shared.edge.fakes.received.pay).toEqual([]);
});

it('a name in the right form that is not known is no reason to refuse a payment (Q105)', async () => {
  expect((await shared.edge.post(PAY, { ...payer, time_zone: 'Europe/Nowhere' })).status).toBe(201);
});

it('an Idempotency-Key that comes again with another time zone is refused (Q12, Q105)', async () => {
  const once = { idempotencyKey: 'zone-1' };
  const ask = async (time_zone: string) =>
    (await shared.edge.post(PAY, { ...payer, time_zone }, once)).status;
  expect([await ask('Europe/Madrid'), await ask('Europe/Madrid'), await ask('Asia/Tokyo')]).toEqual([
    201, 201, 422,
  ]);
  expect(zones()).toEqual(['Europe/Madrid']);
});
