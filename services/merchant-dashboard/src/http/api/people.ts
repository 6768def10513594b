import type { KeyScope } from '@gp/contracts';
import type { Permission, Role } from '../../domain/roles.ts';

/**
 * POST /api/login and POST /api/login/passkey. Until POST /api/login/second-factor has received the code, or a passkey has
 * logged the user in, the session gives no access.
 */
export type LoggedIn = {
  readonly merchant_id: string;
  readonly email: string;
  readonly role: Role;
  readonly second_factor_required: boolean;
  /** One of these is still required. */
  readonly second_factors: readonly ('code' | 'passkey')[];
};
/** GET /api/me */
export type Me = {
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly email: string;
  readonly role: Role;
  readonly permissions: readonly Permission[];
  readonly has_second_factor: boolean;
  /** The identity can be proved again by a passkey: POST /api/reauthenticate/passkey. */
  readonly has_passkey: boolean;
  readonly recovery_codes_left: number;
  /** The team demands a second factor; until there is one, only the own account can be changed. */
  readonly must_add_second_factor: boolean;
  /** The scopes that this user may give to an API key. */
  readonly key_scopes: readonly KeyScope[];
  /** The instant until which keys may be created and gateways changed without a new proof of identity. */
  readonly proved_until: string;
  /** The address of this machine's mailbox in a trial stack; null elsewhere. */
  readonly mailbox: string | null;
};
/** GET /api/profile/sessions */
export type SessionItem = {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly is_this: boolean;
};
/** GET /api/profile/passkeys; `origin` is where the dashboard has to be opened to use them. */
export type Passkeys = { readonly passkeys: readonly Passkey[]; readonly origin: string };
export type Passkey = {
  readonly id: string;
  readonly name: string;
  /** Its device shares it with the user's other devices. */
  readonly is_synced: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
};
/** POST /api/profile/second-factor: shown once; it is active from its first code on. */
export type NewSecondFactor = { readonly secret: string; readonly otpauth_url: string };
/** POST /api/profile/second-factor/confirm and …/recovery-codes: shown once. */
export type RecoveryCodes = { readonly recovery_codes: readonly string[] };

/** GET /api/team; GET /api/team/export?format=csv|jsonl */
export type Team = {
  readonly members: readonly TeamMember[];
  readonly invitations: readonly Invitation[];
  /** Changed by PUT /api/team/second-factor {required}. */
  readonly requires_second_factor: boolean;
};
export type TeamMember = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly has_second_factor: boolean;
  readonly joined_at: string;
  readonly last_seen_at: string | null;
  /** Live API keys the member made; DELETE /api/team/members/{id}?end_keys=true revokes them. */
  readonly live_keys: number;
  readonly is_you: boolean;
};
export type Invitation = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly created_at: string;
  readonly expires_at: string;
};
/** POST /api/invitations/look */
export type InvitationOffer = { readonly merchant_name: string; readonly email: string; readonly role: Role };

/** GET /api/audit?cursor=&limit=&action=; GET /api/audit/export?format=csv|jsonl */
export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly next_cursor: string | null };
export type AuditEntry = {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
};
