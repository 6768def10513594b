import type { OrganiserRight } from '@gp/contracts';
import type { KnownGroup } from '../../domain/picture.ts';

/** A group with what its organiser may do. */
export type OrganisedGroup = KnownGroup & {
  readonly may: readonly OrganiserRight[];
  /** Null where the organiser may not extend. */
  readonly latestExpiresAt: string | null;
};

/** The calls of the organiser's page to the ledger, which checks token, right and rules; each may be repeated. */
export type OrganiserCalls = {
  /** Rejects with `not_found` for an unknown token and for one that was replaced. */
  findOrganised(token: string): Promise<OrganisedGroup>;
  extend(token: string, expiresAt: string): Promise<KnownGroup>;
  cancel(token: string): Promise<KnownGroup>;
};
