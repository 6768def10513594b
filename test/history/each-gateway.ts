import type pg from 'pg';
import { openApi, newGroup, payer, paySlot } from '../support/journey.ts';
import type { StackFile } from '../support/stack.ts';
import type { Client } from './client.ts';

const HOUR_MS = 3_600_000;

/** A payment of each gateway whose money is still the merchant's. */
const CAPTURED = `
  select distinct on (i.psp_code) i.group_id, i.slot_ids, g.merchant_id
    from group_ledger.intents i join group_ledger.groups g on g.id = i.group_id
   where i.state = 'captured' and g.state in ('paid', 'partially_paid') order by i.psp_code, i.id`;

/** One more bill for each merchant once nothing goes wrong any more: on a slow machine a gateway may have had none. */
export async function payOneEach(stack: StackFile, clients: readonly Client[]): Promise<void> {
  for (const client of clients) {
    const api = openApi(stack, client.merchant);
    const expires_at = new Date((await client.arrival()) + HOUR_MS).toISOString();
    await paySlot(stack, api, await newGroup(api, 1, { expires_at }), 0, payer('last'));
  }
}

/** Asks for the money of one payment of each gateway: that the crowd did so while it could is left to chance. */
export async function refundOneOfEach(database: pg.Client, clients: readonly Client[]): Promise<void> {
  const { rows } = await database.query<{ group_id: string; slot_ids: string[]; merchant_id: string }>(
    CAPTURED,
  );
  for (const { group_id, slot_ids, merchant_id } of rows) {
    const client = clients.find(({ merchant }) => merchant.merchant_id === merchant_id);
    await client?.refund(group_id, { slot_ids });
  }
}
