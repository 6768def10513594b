import type pg from 'pg';
import type { Client } from './client.ts';
import type { ClientRecord, RefundAnswer } from './record.ts';

/** A payment of each gateway whose money is still the merchant's. */
const CAPTURED = `
  select distinct on (i.psp_code) i.group_id, i.slot_ids, g.merchant_id
    from group_ledger.intents i join group_ledger.groups g on g.id = i.group_id
   where i.state = 'captured' and g.state in ('paid', 'partially_paid') order by i.psp_code, i.id`;

/** Asks for the money of one payment of each gateway: that the crowd did so while it could is left to chance. */
export async function refundOneOfEach(
  database: pg.Client,
  clients: readonly Client[],
  record: ClientRecord,
): Promise<void> {
  const { rows } = await database.query<{ group_id: string; slot_ids: string[]; merchant_id: string }>(
    CAPTURED,
  );
  for (const { group_id, slot_ids, merchant_id } of rows) {
    const client = clients.find(({ merchant }) => merchant.merchant_id === merchant_id);
    const path = `/v1/group-payments/${group_id}/refund`;
    await client?.act<RefundAnswer>(path, { slot_ids }, record.refunded);
  }
}
