import { describe, expect, it } from '@jest/globals';
import { listPayments, listPaymentsOfGroups } from '../src/app/payments/list-payments.ts';
import { declined, failure } from './gateway.ts';
import { heldGroup, paidGroup } from './groups.ts';
import { reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
type Asked = Partial<Parameters<ReturnType<typeof listPayments>>[0]>;
const list = (group_id: string, o: Asked = {}) =>
  listPayments(ledger.db)({ ...scope, group_id, limit: 100, ...o });
const listOf = (group_ids: string[], o: { limit?: number; merchant_id?: string; mode?: 'live' } = {}) =>
  listPaymentsOfGroups(ledger.db)({ ...scope, group_ids, limit: 20, ...o });

describe('the payments of a group', () => {
  it('payments name payer, slots, gateway reference and money, newest first (Q35)', async () => {
    const { id, payers, slots } = await paidGroup(ledger);
    const { currency, payments, next } = await list(id);
    expect([currency, next]).toEqual(['EUR', null]);
    expect(payments.map((payment) => payment.id)).toEqual(payers.map(({ intent }) => intent.id).reverse());
    const last = payers[2]!.intent;
    expect(payments[0]).toEqual({
      id: last.id,
      psp_code: 'gateway_a',
      state: 'captured',
      unknown: false,
      disputed: false,
      amount_minor: '1000',
      captured_minor: '1000',
      refunded_minor: '0',
      slot_ids: [slots[2]!.id],
      customer_id: last.customer_id,
      email: 'payer3@example.com',
      name: null,
      psp_reference: `pi_${last.id.slice(-6)}`,
      failure: null,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
  });

  it('a payment that failed stays in the list with the reason (Q35)', async () => {
    const { group, slots } = await ledger.newGroup();
    const reserved = await ledger.reserve(reserveRequest(group.id, 'ana@example.com', [slots[0]!.id]));
    await ledger.record(declined(reserved));
    const { payments } = await list(group.id);
    expect(payments).toMatchObject([
      { id: reserved.intent.id, email: 'ana@example.com', captured_minor: '0', failure },
    ]);
  });

  it('payments read page by page come once each, also those of one instant (Q19, Q35)', async () => {
    const { id } = await heldGroup(ledger, { distribution: { type: 'equally', number_of_slots: 5 } });
    await ledger.rows(
      `update intents set created_at = date_trunc('minute', created_at) where group_id = $1`,
      [id],
    );
    const all = (await list(id)).payments.map((payment) => payment.id);
    const found: string[] = [];
    let after: Awaited<ReturnType<typeof list>>['next'] = null;
    do {
      const page = await list(id, { limit: 2, ...(after && { after }) });
      found.push(...page.payments.map((payment) => payment.id));
      after = page.next;
    } while (after);
    expect(found).toEqual(all);
    expect(new Set(found).size).toBe(5);
  });

  it('payments of a group of another merchant or of the other mode are a 404 (S9)', async () => {
    const { id } = await heldGroup(ledger);
    for (const other of [{ merchant_id: 'm2' }, { mode: 'live' as const }])
      await expect(list(id, other)).rejects.toMatchObject({
        code: 'not_found',
        message: 'group payment not found',
      });
  });
});

describe('the payments of several groups', () => {
  it('the newest payments of each group come in the order of the groups, and say where the rest begins (Q39)', async () => {
    const [paid, held, empty] = [await paidGroup(ledger), await heldGroup(ledger), await ledger.newGroup()];
    const ids = [held.id, empty.group.id, paid.id];
    const pages = (await listOf(ids)).groups;
    expect(pages[1]).toEqual({ payments: [], next: null });
    for (const [index, id] of ids.entries())
      expect((await list(id)).payments).toEqual(pages[index]?.payments);
    expect(pages[2]?.payments).toHaveLength(3);
    const [, , cut] = (await listOf(ids, { limit: 2 })).groups;
    expect(cut?.payments).toEqual(pages[2]?.payments.slice(0, 2));
    const rest = await list(paid.id, { after: cut?.next ?? undefined } as Asked);
    expect(rest.payments).toEqual(pages[2]?.payments.slice(2));
  });

  it('groups of another merchant or of the other mode have no payments to show (S9, Q39)', async () => {
    const { id } = await heldGroup(ledger);
    for (const other of [{ merchant_id: 'm2' }, { mode: 'live' as const }])
      expect((await listOf([id], other)).groups).toEqual([{ payments: [], next: null }]);
  });
});
