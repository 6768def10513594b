import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

export type Merchant = {
  name: string;
  email: string;
  password: string;
  merchant_id: string;
  test_key: string;
  live_key: string;
  gateway: string | null;
};

/** A running stack as `stack.json` describes it. */
export type StackFile = {
  api: string;
  checkout: string;
  dashboard: string;
  sandbox: string;
  widget: string;
  shop: string;
  relay: string;
  control: string;
  postgres: string;
  nats: string;
  /** Seeds of identities that belong to no service. */
  nats_seeds: { administrator?: string; installation?: string; operator?: string };
  /** The private half of the key with which the stack is operated. */
  operator_key: string;
  /** The settings of the operators' commands on merchants. */
  merchants_settings: Record<string, string>;
  merchants: Merchant[];
  services: Record<string, { pid: number; metrics: string; health: string }>;
};

export async function readStackFile(dataDir = process.env['GP_DATA_DIR'] ?? '.data'): Promise<StackFile> {
  return JSON.parse(await readFile(join(resolve(root, dataDir), 'stack.json'), 'utf8')) as StackFile;
}

/** The demo merchant whose active gateway is this one. */
export function findMerchant(stack: StackFile, gateway: string | null): Merchant {
  const merchant = stack.merchants.find((candidate) => candidate.gateway === gateway);
  if (!merchant) throw new Error(`the stack has no merchant with gateway ${String(gateway)}`);
  return merchant;
}
