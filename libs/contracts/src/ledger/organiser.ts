import Type from '@gp/bundled/typebox';
import { rpc } from '../contract.ts';
import { ActorName, CommandIdentity, Instant, Scope, Uuid } from '../common.ts';
import { FoundGroup } from './views.ts';

/** The token of the organiser's link, which gives its holder the organiser's rights. */
const Token = Type.String({ minLength: 1, maxLength: 100 });

/** The group whose organiser's page has this token, with what the merchant allowed in `organiser`; errors: not_found. */
export const findOrganisedGroup = rpc('rpc.ledger.groups.find-organised.v1', {
  repeatable: true,
  request: Type.Object({ token: Token }),
  response: FoundGroup,
});

/**
 * Moves a group's expiry to a later instant on its organiser's word, no further than the merchant allowed; an instant that
 * the expiry has reached already changes nothing, in any state of the group. Errors: not_found, insufficient_scope, group_expired, group_not_payable,
 * validation_error (expires_at).
 */
export const organiserExtend = rpc('rpc.ledger.groups.organiser-extend.v1', {
  repeatable: true,
  request: Type.Object({ token: Token, expires_at: Instant }),
  response: FoundGroup,
});

/**
 * Cancels a group that is still collecting on its organiser's word; one that is cancelled is answered as it is. Errors:
 * not_found, insufficient_scope, group_expired, group_not_payable.
 */
export const organiserCancel = rpc('rpc.ledger.groups.organiser-cancel.v1', {
  repeatable: true,
  request: Type.Object({ token: Token }),
  response: FoundGroup,
});

/** Gives a group's organiser a new link and ends the old one; errors: not_found, idempotency_key_reused. */
export const rollOrganiserToken = rpc('rpc.ledger.groups.roll-organiser-token.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, ...CommandIdentity, group_id: Uuid, actor: ActorName }),
  response: Type.Object({
    token: Type.String({ minLength: 22 }),
    link_number: Type.Integer({ minimum: 1 }),
  }),
});
