import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as contracts from '@gp/contracts';
import type { CaptureMinimum, GroupView } from '@gp/contracts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';
import { playFirstPayments } from './support/first-payments.ts';

const id = '0198c3f0-0000-7000-8000-00000000000a';
const at = '2026-01-10T12:00:00.000Z';

let dashboard: Dashboard;
let member: Member;
let minimum: CaptureMinimum | undefined;
let payments: ReturnType<typeof playFirstPayments>;

const newGroup = (): GroupView => ({
  ...{ id, merchant_id: member.id, mode: 'test', group_name: 'Dinner', merchant_order_id: 'ORD-1' },
  ...{ client_reference: null, total_minor: '3000', currency: 'EUR', state: 'open', metadata: {} },
  ...{ page_token: 'secret-link-of-a-payer-22', version: 1, expires_at: at, created_at: at, updated_at: at },
  ...(minimum && { capture_minimum: minimum }),
});
const sum = { held_minor: '0', captured_minor: '0', refunded_minor: '0' };

beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  const { others } = dashboard;
  others.serve(contracts.describeGroup, async () => ({
    ...{ group: newGroup(), slots: [], payments: [], transitions: [], is_cut: false, money: sum },
    ...{ can_cancel: true, can_refund: false },
  }));
  others.serve(contracts.listGroupDeliveries, async () => ({ deliveries: [] }));
  payments = playFirstPayments(dashboard, member, newGroup);
});
afterAll(() => dashboard?.close());
beforeEach(() => {
  minimum = undefined;
  payments.created.length = 0;
});

const read = async () => (await member.get(`/api/test/group-payments/${id}`)).body;

describe('the minimum of a group payment', () => {
  it('a group payment shows its minimum, an amount with its currency or a number of slots (Q90)', async () => {
    minimum = { amount_minor: '2050' };
    const minimum_amount = { currency: 'EUR', minor: '2050' };
    expect(await read()).toMatchObject({ capture_at_expiry: { minimum_amount } });
    minimum = { slots: 2 };
    expect(await read()).toMatchObject({ capture_at_expiry: { minimum_slots: 2 } });
  });

  it('a group payment that releases everything shows none (Q90)', async () => {
    expect(await read()).not.toHaveProperty('capture_at_expiry');
  });
});

describe('POST /first-payment', () => {
  it('a payment that is made by hand has the minimum that was given, or none (Q90)', async () => {
    expect((await payments.make({ minimum_slots: 2 })).status).toBe(201);
    expect((await payments.make({})).status).toBe(201);
    expect(payments.created.map(({ capture_minimum }) => capture_minimum)).toEqual([{ slots: 2 }, undefined]);
  });

  it.each([0, 31, 1.5, '2'])('a minimum of %j slots is refused (Q90)', async (minimum_slots) => {
    const { status, body } = await payments.make({ minimum_slots });
    expect({ status, body }).toMatchObject({ status: 400, body: { param: 'minimum_slots' } });
    expect(payments.created).toEqual([]);
  });
});
