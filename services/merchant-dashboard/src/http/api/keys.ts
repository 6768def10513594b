import type { KeyScope, Mode, PspCode } from '@gp/contracts';

/**
 * GET /api/keys?mode= → {keys}; POST /api/keys {mode, name, scopes?, expires_at?, allowed_addresses?} and POST /api/keys/{id}/roll {overlap_seconds} → CreatedKey
 */
export type ApiKey = {
  readonly id: string;
  readonly mode: Mode;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly created_by: string;
  /** The maker was a member of the team and is not any more. */
  readonly has_maker_left: boolean;
  readonly created_at: string;
  /** Null for every right. */
  readonly scopes: readonly KeyScope[] | null;
  readonly expires_at: string | null;
  /** Networks from which the key may be used; none for any. */
  readonly allowed_addresses: readonly string[];
  /** When a rolled key stops working. */
  readonly ends_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_from: string | null;
};
export type ListedKey = ApiKey & {
  readonly seen_in_browsers: readonly {
    readonly origin: string;
    readonly count: number;
    readonly first_seen_at: string;
    readonly last_seen_at: string;
  }[];
};
export type CreatedKey = ApiKey & { readonly key: string };

/**
 * GET /api/gateways?mode= → {gateways}: `open_groups` counts groups that wait for it, null when the ledger is
 * unavailable. POST /api/gateways {mode, psp_code, credentials} → Gateway; 400 `validation_error` names the field that the
 * gateway refuses, or says that the merchant has too many versions of keys in the mode that no payment uses.
 */
export type Gateway = {
  readonly mode: Mode;
  readonly psp_code: PspCode;
  readonly version: number;
  readonly active: boolean;
  /** Whether the gateway has confirmed the newest keys; until then they are not used, and older ones stay in use. */
  readonly verified: boolean;
  readonly connected_at: string;
};
export type ListedGateway = Gateway & { readonly open_groups: number | null };
