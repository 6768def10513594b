import type { ApiKeyRow, Exposure, GatewayRow } from '../app/overview.ts';

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

/** A key in a list: also where browsers sent it from, which means that somebody has put it into a page. */
export function listedKeyView({ row, exposures }: { row: ApiKeyRow; exposures: readonly Exposure[] }) {
  const seen_in_browsers = exposures.map(({ origin, count, firstSeenAt, lastSeenAt }) => ({
    origin,
    count,
    first_seen_at: firstSeenAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
  }));
  return { ...keyView(row), seen_in_browsers };
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
