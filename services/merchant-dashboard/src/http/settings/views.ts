import type { ApiKeyRow, Exposure, GatewayRow } from '../../app/settings/list-settings.ts';
import type { ApiKey, Gateway, ListedKey } from '../api.ts';

/** Returns a key as the dashboard shows it, without its text. */
export function keyView(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    mode: row.mode,
    name: row.name,
    prefix: `sk_${row.mode}_`,
    last4: row.last4,
    created_by: row.createdBy,
    has_maker_left: row.hasMakerLeft,
    created_at: row.createdAt.toISOString(),
    scopes: row.scopes,
    expires_at: row.expiresAt?.toISOString() ?? null,
    allowed_addresses: row.allowedAddresses,
    ends_at: row.endsAt?.toISOString() ?? null,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    last_used_from: row.lastUsedFrom,
  };
}

/**
 * Returns a key as an item of a list, with the origins from which browsers sent it: they show that the key was put
 * into a page.
 */
export function listedKeyView({
  row,
  exposures,
}: {
  row: ApiKeyRow;
  exposures: readonly Exposure[];
}): ListedKey {
  const seen_in_browsers = exposures.map(({ origin, count, firstSeenAt, lastSeenAt }) => ({
    origin,
    count,
    first_seen_at: firstSeenAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
  }));
  return { ...keyView(row), seen_in_browsers };
}

/** Returns a connection as the dashboard shows it, without its secrets. */
export function gatewayView(row: GatewayRow & { readonly hasWaitingKeys?: boolean }): Gateway {
  return {
    mode: row.mode,
    psp_code: row.pspCode,
    version: row.version,
    active: row.active,
    verified: row.verifiedAt !== null && !row.hasWaitingKeys,
    connected_at: row.createdAt.toISOString(),
  };
}
