import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import * as contracts from '@gp/contracts';
import type { GroupView, PaymentHistory, ResponseOf } from '@gp/contracts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';
import { playCreations } from './support/creations.ts';

const id = '0198c3f0-0000-7000-8000-00000000000a';
const at = '2026-01-10T12:00:00.000Z';

let dashboard: Dashboard;
let member: Member;
let payments: ReturnType<typeof playCreations>;
let tips: { readonly max?: string; readonly tip?: string } = {};

const newGroup = (): GroupView => ({
  ...{ id, merchant_id: member.id, mode: 'test', group_name: 'Dinner', merchant_order_id: 'ORD-1' },
  ...{ client_reference: null, total_minor: '3000', currency: 'EUR', state: 'open', metadata: {} },
  ...{ page_token: 'secret-link-of-a-payer-22', version: 1, expires_at: at, created_at: at, updated_at: at },
  ...(tips.max !== undefined && { max_tip_minor: tips.max }),
});
const newPayment = (): PaymentHistory => ({
  ...{ id, psp_code: 'gateway_a', state: 'captured', unknown: false, disputed: false, failure: null },
  ...{ amount_minor: '1250', captured_minor: '1250', refunded_minor: '0', slot_ids: [id], created_at: at },
  ...(tips.tip !== undefined && { tip_minor: tips.tip }),
  payer: { id, email: 'ana@example.com', name: null },
});

beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  const { others } = dashboard;
  const money = { held_minor: '0', captured_minor: '1250', refunded_minor: '0' };
  others.serve(contracts.describeGroup, async () => ({
    ...{ group: newGroup(), slots: [], payments: [newPayment()], transitions: [], is_cut: false, money },
    ...{ can_cancel: true, can_refund: false },
  }));
  others.serve(contracts.listGroupDeliveries, async () => ({ deliveries: [] }));
  others.serve(contracts.previewRefund, async (): Promise<ResponseOf<typeof contracts.previewRefund>> => ({
    ...{ currency: 'EUR', total_minor: '1250' },
    payments: [
      {
        ...{ intent_id: id, psp_code: 'gateway_a', amount_minor: '1250', payer_email: 'ana@example.com' },
        ...{ slot_ids: [id], other_slot_ids: [], obstacle: null },
        ...(tips.tip !== undefined && { tip_minor: tips.tip }),
      },
    ],
  }));
  payments = playCreations(dashboard, member, newGroup);
});
beforeEach(() => {
  payments.created.length = 0;
});
afterAll(() => dashboard?.close());

const read = async () => (await member.get(`/api/test/group-payments/${id}`)).body;

it('a group payment that takes tips shows the most of one, and a payment its tip beside the amount it is a part of (Q91)', async () => {
  tips = { max: '2000', tip: '250' };
  expect(await read()).toMatchObject({
    max_tip: { minor: '2000', currency: 'EUR' },
    payments: [{ amount: { minor: '1250' }, tip: { minor: '250', currency: 'EUR' } }],
  });
});

it('a group payment without tips shows none, and neither do its payments (Q91)', async () => {
  tips = {};
  const body = (await read()) as { payments: object[] };
  expect(body).not.toHaveProperty('max_tip');
  expect(body.payments[0]).not.toHaveProperty('tip');
});

it.each([
  ['250', { minor: '250', text: '2.50', currency: 'EUR' }],
  [undefined, undefined],
])(
  'the preview of a refund states the tip that goes back with a payment, %s of it (Q94)',
  async (tip, shown) => {
    tips = tip === undefined ? {} : { tip };
    const { body } = await member.get(`/api/test/group-payments/${id}/refund-preview`);
    const { payments } = body as { payments: { tip?: object }[] };
    expect(payments.map((payment) => payment.tip)).toEqual([shown]);
  },
);

it('a test payment that is made by hand takes tips up to what was given, or none (Q91)', async () => {
  tips = {};
  expect((await payments.make({ max_tip: '2.50' })).status).toBe(201);
  expect((await payments.make({})).status).toBe(201);
  expect(payments.created.map(({ max_tip_minor }) => max_tip_minor)).toEqual(['250', undefined]);
});

it('a test payment with slots by hand has their sum as its total, and their labels', async () => {
  const slots = [{ amount: '7.50', label: 'Menu' }, { amount: '3' }];
  expect((await payments.make({ slots })).status).toBe(201);
  expect(payments.created).toMatchObject([
    {
      total_minor: '1050',
      distribution: {
        type: 'custom',
        slots: [{ amount_minor: '750', label: 'Menu' }, { amount_minor: '300' }],
      },
    },
  ]);
});

it.each([
  [[], 'slots'],
  [[{ amount: '1.234' }], 'slots.0.amount'],
  [[{ amount: '1', label: '' }], 'slots.0.label'],
])('slots by hand like %j are refused, and the field is named', async (slots, param) => {
  const { status, body } = await payments.make({ slots });
  expect({ status, body }).toMatchObject({ status: 400, body: { param } });
  expect(payments.created).toEqual([]);
});

it.each(['', '2,50', '-1', '1.234', 3])('a tip limit of %j is refused (Q91)', async (max_tip) => {
  const { status, body } = await payments.make({ max_tip });
  expect({ status, body }).toMatchObject({ status: 400, body: { param: 'max_tip' } });
  expect(payments.created).toEqual([]);
});
