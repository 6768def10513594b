import Type from '@gp/bundled/typebox';
import { note } from '../contract.ts';
import { OneOf, Scope, Uuid } from '../common.ts';

/**
 * Published after a group was created, after every change of it, and after one of its links was replaced, which leaves the
 * version as it is. Listeners query the ledger for more. A listener that must not miss a change also polls. Subject ends
 * with the group id.
 */
export const groupChanged = note(
  'note.ledger.group.changed.v1',
  Type.Object({
    ...Scope,
    group_id: Uuid,
    version: Type.Integer({ minimum: 1 }),
    /** The link that was replaced; absent where none was. */
    replaced_link: Type.Optional(OneOf(['page', 'organiser'])),
  }),
);
