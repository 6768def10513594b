import { listPayments } from '../src/app/payments/list-payments.ts';
import { answerTo, authorised, listOrders } from './gateway.ts';
import { reserveRequest, scope, type Ledger } from './harness.ts';
import type { CreateCommand } from '../src/app/groups/create-groups.ts';

export type Owner = { readonly merchant_id: string; readonly mode: 'test' | 'live' };
type Reserved = Awaited<ReturnType<Ledger['reserve']>>;

/** Acts of payers and gateways at instants of the past, for tests of balances and statements. */
export function openBooks(ledger: Ledger) {
  /** Lets something happen at an instant: what it posted and announced is dated then. */
  async function at<T>(instant: string, act: () => Promise<T>): Promise<T> {
    const result = await act();
    await ledger.database.asOwner(
      'group_ledger',
      `update postings set posted_at = '${instant}' where posted_at > now() - interval '1 hour';
       update events set occurred_at = '${instant}' where occurred_at > now() - interval '1 hour'`,
    );
    return result;
  }
  return {
    at,
    /** A group whose payers hold every slot, or all but `except`. */
    async hold(o: Partial<CreateCommand> & { except?: number } = {}, owner: Owner = scope) {
      const { except = 0, ...command } = o;
      const { group, slots } = await ledger.newGroup({ ...owner, ...command });
      const payers: Reserved[] = [];
      for (const slot of slots.slice(except)) {
        const email = `payer${slot.sequence_no}@example.com`;
        const reserved = await ledger.reserve(reserveRequest(group.id, email, [slot.id], owner));
        const { intent } = reserved;
        // Where our server confirms, an authorization begins with the confirmation.
        const attempt = reserved.attempt ?? (await ledger.begin({ ...owner, intent_id: intent.id })).attempt;
        await ledger.record(authorised({ intent, attempt }, owner));
        payers.push({ ...reserved, attempt });
      }
      return { id: group.id, payers, owner };
    },
    /** Answers all orders of an operation. */
    async answer(
      group: { readonly id: string; readonly owner: Owner },
      ...[operation, status]: ['capture', 'captured'] | ['void', 'voided'] | ['refund', 'refunded']
    ): Promise<void> {
      for (const order of await listOrders(ledger, group.id, operation))
        await ledger.record(answerTo(order, 'gateway_a', status, group.owner));
    },
    /** Reports what was done at the gateway and not ordered by us. */
    report: (reserved: Reserved | undefined, o: Parameters<typeof authorised>[1]) =>
      ledger.record(
        authorised(reserved!, {
          operation_id: null,
          source: 'external',
          capture_before: null,
          amount_minor: null,
          ...o,
        }),
      ),
    listPayments: async (group_id: string, owner: Owner = scope) =>
      (await listPayments(ledger.db)({ ...owner, group_id, limit: 100 })).payments,
  };
}
