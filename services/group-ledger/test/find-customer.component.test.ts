import { describe, expect, it } from '@jest/globals';
import type { ListPosition } from '@gp/contracts';
import { findCustomer } from '../src/app/customers/find-customer.ts';
import { listPayments, listPaymentsOfCustomer } from '../src/app/payments/list-payments.ts';
import { answerAll, authorised, declined } from './gateway.ts';
import { completePayment, startPayment } from './groups.ts';
import { digest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const find = (customer_id: string, o: { merchant_id?: string; mode?: 'live' } = {}) =>
  findCustomer(ledger.db)({ ...scope, customer_id, ...o });

describe('one customer', () => {
  it('the counts and sums of a customer are those of all payments, by state and by currency (Q61)', async () => {
    const email = 'sum@example.com';
    const refunded = await startPayment(ledger, email);
    await completePayment(ledger, refunded);
    await ledger.refund({
      ...scope,
      command_id: digest('refund'),
      fingerprint: digest('refund'),
      group_id: refunded.id,
      source: 'api',
      slot_ids: [refunded.slots[0]!.id],
    });
    await answerAll(ledger, refunded.id, 'refund', 'refunded');
    const held = await startPayment(ledger, email);
    await ledger.record(authorised(held.reserved));
    const yen = { currency: 'JPY', total_minor: '6000' };
    const failed = await startPayment(ledger, email, yen);
    await ledger.record(declined(failed.reserved));
    await completePayment(ledger, await startPayment(ledger, email, yen));
    const open = await startPayment(ledger, email);

    const { customer, payment_counts, sums } = await find(open.customerId);
    expect(customer).toMatchObject({ id: open.customerId, email, name: null });
    expect(Object.fromEntries(payment_counts.map(({ state, count }) => [state, count]))).toEqual({
      created: 1,
      preauthorised: 1,
      captured: 1,
      refunded: 1,
      failed: 1,
    });
    expect(sums).toEqual([
      { currency: 'EUR', on_hold_minor: '1000', captured_minor: '1000', refunded_minor: '1000' },
      { currency: 'JPY', on_hold_minor: '0', captured_minor: '2000', refunded_minor: '0' },
    ]);
  });

  it('a hold that is being released counts until the gateway has released it (Q61)', async () => {
    const { id, reserved, customerId } = await startPayment(ledger, 'released@example.com');
    await ledger.record(authorised(reserved));
    const command = { command_id: digest('cancel'), fingerprint: digest('cancel') };
    await ledger.cancel({ ...scope, ...command, group_id: id, actor: 'kim' });
    expect((await find(customerId)).sums).toMatchObject([{ on_hold_minor: '1000' }]);
    await answerAll(ledger, id, 'void', 'voided');
    expect((await find(customerId)).sums).toMatchObject([{ on_hold_minor: '0', captured_minor: '0' }]);
  });

  it('the payments of a customer in all groups come newest first, page by page, as their groups list them (Q62)', async () => {
    const email = 'many@example.com';
    const begin = () => startPayment(ledger, email);
    const groups = [await begin(), await begin(), await begin()].toReversed();
    const customer_id = groups[0]!.customerId;
    const page = (o: { limit: number; after?: ListPosition }) =>
      listPaymentsOfCustomer(ledger.db)({ ...scope, customer_id, ...o });
    const first = await page({ limit: 2 });
    const rest = await page({ limit: 2, ...(first.next && { after: first.next }) });
    expect([first.payments.length, rest.next]).toEqual([2, null]);
    const listed = await Promise.all(
      groups.map(async ({ id }) => {
        const { currency, payments } = await listPayments(ledger.db)({ ...scope, group_id: id, limit: 1 });
        return payments.map((payment) => ({ ...payment, group_id: id, group_name: 'Dinner', currency }));
      }),
    );
    expect([...first.payments, ...rest.payments]).toEqual(listed.flat());
  });

  it('a customer of another merchant or of the other mode is a 404, and so are the payments (S9)', async () => {
    const { customerId } = await startPayment(ledger, 'private@example.com');
    for (const other of [{ merchant_id: 'm2' }, { mode: 'live' as const }]) {
      const unknown = { code: 'not_found', message: 'customer not found' };
      await expect(find(customerId, other)).rejects.toMatchObject(unknown);
      const payments = listPaymentsOfCustomer(ledger.db);
      const asked = { ...scope, ...other, customer_id: customerId, limit: 1 };
      await expect(payments(asked)).rejects.toMatchObject(unknown);
    }
  });
});
