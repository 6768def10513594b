import type { GatewayConnection, Mode, PspCode } from '@gp/contracts';
import type { Db } from '@gp/pg';

/** What the dashboard asks of others: adapters keep the secrets, the ledger goes by the gateway, checkout lets in. */
export type Neighbours = {
  putCredentials(
    psp: PspCode,
    request: { merchant_id: string; mode: Mode; credentials: Record<string, string> },
  ): Promise<{ version: number }>;
  verifyCredentials(
    psp: PspCode,
    request: { merchant_id: string; mode: Mode; version: number },
  ): Promise<{ valid: boolean; reason: string | null }>;
  noteGateway(connection: GatewayConnection): Promise<void>;
  revokeSessions(group: { merchant_id: string; mode: Mode; group_id: string }): Promise<{ epoch: number }>;
};

export type DashboardParts = {
  readonly db: Db;
  readonly wakeRelay: () => void;
  readonly neighbours: Neighbours;
  readonly pepper: { readonly id: string; readonly key: Buffer };
};

/** Who acts: a user of the merchant, or an operator at the command line. */
export type Actor = { readonly merchantId: string; readonly name: string };
