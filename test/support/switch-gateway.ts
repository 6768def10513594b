import { eventually } from '@gp/testing';
import { openDashboard } from './dashboard.ts';
import { askLedger } from './ledger.ts';
import type { Merchant, StackFile } from './stack.ts';

/** Switches the gateway that a merchant's next payments go to, as the merchant does in the dashboard; the ledger knows then. */
export async function switchGateway(stack: StackFile, merchant: Merchant, psp_code: string): Promise<void> {
  const dashboard = await openDashboard(stack, merchant);
  await dashboard.put('gateways/active', { mode: 'test', psp_code });
  const sql = `select from gateway_connections where merchant_id = $1 and mode = 'test' and psp_code = $2 and active`;
  const known = () => askLedger(stack, sql, [merchant.merchant_id, psp_code]);
  await eventually(async () => (await known()).length > 0 || undefined);
}
