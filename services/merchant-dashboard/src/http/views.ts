import type { ApiKeyRow, GatewayRow } from '../app/overview.ts';

/** A key as the dashboard shows it: never its text. */
export function keyView(row: ApiKeyRow) {
  return {
    id: row.id,
    mode: row.mode,
    name: row.name,
    prefix: `sk_${row.mode}_`,
    last4: row.last4,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    revoked_at: row.revokedAt?.toISOString() ?? null,
  };
}

/** A connection as the dashboard shows it: never its secrets. */
export function gatewayView(row: GatewayRow) {
  return {
    mode: row.mode,
    psp_code: row.pspCode,
    version: row.version,
    active: row.active,
    connected_at: row.createdAt.toISOString(),
  };
}
