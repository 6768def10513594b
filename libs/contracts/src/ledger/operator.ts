import Type from '@gp/bundled/typebox';
import { rpc } from '../contract.ts';
import { Instant, Scope, Uuid } from '../common.ts';
import { GroupState } from './views.ts';
import { OperatorName } from '../operator/operator.ts';

const Rows = Type.Array(Type.Record(Type.String(), Type.Unknown()));

/** Returns everything the ledger stores of a group; errors: not_found. */
export const inspectGroup = rpc('rpc.ledger.groups.inspect.v1', {
  repeatable: true,
  request: Type.Object({ group_id: Uuid }),
  response: Type.Object({
    group: Type.Object({ id: Uuid, ...Scope, state: GroupState }),
    slots: Rows,
    intents: Rows,
    attempts: Rows,
    orders: Rows,
    transitions: Rows,
    postings: Rows,
    events: Rows,
    tasks: Rows,
  }),
});

const OnGroup = Type.Object({ group_id: Uuid, actor: OperatorName });
const GroupAfter = Type.Object({ group_id: Uuid, group_state: GroupState });

/**
 * Repeats captures that failed for good while their hold is alive (D5); errors: not_found, group_not_payable,
 * conflict.
 */
export const retryCaptures = rpc('rpc.ledger.captures.retry.v1', { request: OnGroup, response: GroupAfter });

/** Releases the holds that failed captures kept (D5); errors: not_found, conflict. */
export const giveUpCaptures = rpc('rpc.ledger.captures.give-up.v1', {
  request: OnGroup,
  response: GroupAfter,
});

/** Orders a query of the gateway now for every try of a payment; errors: not_found, conflict. */
export const askGateway = rpc('rpc.ledger.intents.ask.v1', {
  request: Type.Object({ intent_id: Uuid, actor: OperatorName }),
  response: Type.Object({ group_id: Uuid, attempts: Type.Integer() }),
});

/**
 * Anonymises a payer: address and name are deleted for good, the payments stay without a payer (Q31). A later
 * payment with that address belongs to a new payer; errors: not_found.
 */
export const forgetCustomer = rpc('rpc.ledger.customers.forget.v1', {
  request: Type.Object({ ...Scope, email: Type.String({ maxLength: 320 }), actor: OperatorName }),
  response: Type.Object({ customer_id: Uuid }),
});

/** Returns timers by their keys; those that fired or were cancelled are left out. */
export const findTimers = rpc('rpc.scheduler.timers.find.v1', {
  repeatable: true,
  request: Type.Object({
    owner: Type.String({ pattern: '^[a-z_]+$' }),
    keys: Type.Array(Type.String({ maxLength: 120 }), { maxItems: 1_000 }),
  }),
  response: Type.Object({
    timers: Type.Array(Type.Object({ key: Type.String(), kind: Type.String(), due_at: Instant })),
  }),
});
