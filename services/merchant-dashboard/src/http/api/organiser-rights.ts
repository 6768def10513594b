import type { OrganiserRight } from '@gp/contracts';

/** GET /api/organiser-rights?mode= and PUT /api/organiser-rights {mode, organiser_rights} → UsualOrganiser */
export type UsualOrganiser = {
  /** What the organiser may do of a payment that is created without saying so; empty for no organiser. */
  readonly organiser_rights: readonly OrganiserRight[];
};
