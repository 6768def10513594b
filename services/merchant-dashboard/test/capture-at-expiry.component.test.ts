import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as contracts from '@gp/contracts';
import type { CaptureMinimum, GroupView } from '@gp/contracts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';
import { playCreations } from './support/creations.ts';

const id = '0198c3f0-0000-7000-8000-00000000000a';
const at = '2026-01-10T12:00:00.000Z';

let dashboard: Dashboard;
let member: Member;
let minimum: CaptureMinimum | undefined;
let payments: ReturnType<typeof playCreations>;

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
  payments = playCreations(dashboard, member, newGroup);
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

describe('a group payment by hand', () => {
  it('a group payment by hand has the minimum that was given, an amount or a number of slots, or none (Q90)', async () => {
    for (const capture_at_expiry of [{ minimum_slots: 2 }, { minimum_amount: '20.50' }])
      expect((await payments.make({ capture_at_expiry })).status).toBe(201);
    expect((await payments.make({})).status).toBe(201);
    expect(payments.created.map(({ capture_minimum }) => capture_minimum)).toEqual([
      { slots: 2 },
      { amount_minor: '2050' },
      undefined,
    ]);
  });

  it.each([
    [{ minimum_slots: 0 }, '.minimum_slots'],
    [{ minimum_slots: 31 }, '.minimum_slots'],
    [{ minimum_slots: 1.5 }, '.minimum_slots'],
    [{ minimum_slots: '2' }, '.minimum_slots'],
    [{ minimum_amount: '20,50' }, '.minimum_amount'],
    [{ minimum_amount: '20.505' }, '.minimum_amount'],
    [{ minimum_amount: '0' }, '.minimum_amount'],
    [{ minimum_amount: '-1' }, '.minimum_amount'],
    [{ minimum_amount: 20 }, '.minimum_amount'],
    [{ minimum_amount: '20', minimum_slots: 2 }, ''],
    [{}, ''],
  ])('a minimum of %j is refused, and the field is named (Q90)', async (capture_at_expiry, field) => {
    const { status, body } = await payments.make({ capture_at_expiry });
    expect({ status, body }).toMatchObject({ status: 400, body: { param: `capture_at_expiry${field}` } });
    expect(payments.created).toEqual([]);
  });
});
