import { KEY_SCOPES, parseInstant, type KeyScope } from '@gp/contracts';
import { AppError, validationError } from '@gp/errors';
import type { Restrictions } from '../../app/settings/api-keys.ts';
import { parseAddressRange } from '../../app/settings/address-range.ts';
import { listGrantableScopes, normalizeScopes } from '../../domain/key-scopes.ts';
import type { Role } from '../../domain/roles.ts';

type Entered = {
  readonly scopes?: readonly KeyScope[];
  readonly expires_at?: string;
  readonly allowed_addresses?: readonly string[];
};

/**
 * Returns the restrictions of a new key. Without `scopes` it gets every right its maker has; `insufficient_scope`
 * for a right the maker does not have, `validation_error` for an instant that is over or an address that is none.
 */
export function readRestrictions({ role }: { readonly role: Role }, entered: Entered): Restrictions {
  const scopes = entered.scopes ?? listGrantableScopes(role);
  assertMayGrant({ role }, scopes);
  return {
    scopes: normalizeScopes(scopes),
    expiresAt: readExpiry(entered.expires_at),
    allowedAddresses: [...new Set((entered.allowed_addresses ?? []).map(readAddress))],
  };
}

/** Throws `insufficient_scope` when a key with these scopes (null: all) may do more than a member's role. */
export function assertMayGrant({ role }: { readonly role: Role }, scopes: readonly KeyScope[] | null): void {
  const own = listGrantableScopes(role);
  const beyond = (scopes ?? KEY_SCOPES).filter((scope) => !own.includes(scope));
  if (beyond.length > 0)
    throw new AppError('insufficient_scope', {
      message: `your role does not let a key have: ${beyond.join(', ')}`,
    });
}

function readExpiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const instant = parseInstant(text);
  if (!instant || instant.getTime() <= Date.now())
    throw validationError('expires_at', 'must be an instant in the future');
  return instant;
}

function readAddress(text: string, index: number): string {
  const range = parseAddressRange(text);
  if (range === undefined)
    throw validationError(
      `allowed_addresses.${index}`,
      'must be an address or a network such as 203.0.113.0/24',
    );
  return range;
}
