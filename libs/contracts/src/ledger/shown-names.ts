import Type from '@gp/bundled/typebox';
import { Scope, Uuid } from '../common.ts';
import { rpc } from '../contract.ts';

/** Shows the name of a payment's payer no longer; repeated, it changes nothing. Errors: not_found. */
export const hideName = rpc('rpc.ledger.intents.hide-name.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, group_id: Uuid, intent_id: Uuid }),
  response: Type.Object({}),
});
