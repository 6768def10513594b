import Type from '@gp/bundled/typebox';
import { forOperators, rpc } from '../contract.ts';
import { Instant, Scope, Uuid } from '../common.ts';
import { listGroups } from './commands.ts';
import { findGroupByOrder } from './lookups.ts';
import { GroupState } from './views.ts';

const Rows = Type.Array(Type.Record(Type.String(), Type.Unknown()));

/** Returns everything the ledger stores of a group; errors: not_found. */
export const inspectGroup = rpc('rpc.ledger.groups.inspect.v1', {
  operator: 'read',
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

/** As merchants' servers are answered, of any merchant. */
export const listGroupsForOperator = forOperators('rpc.ledger.groups.list-for-operator.v1', {
  contract: listGroups,
  operator: 'read',
});
export const findGroupByOrderForOperator = forOperators('rpc.ledger.groups.find-by-order-for-operator.v1', {
  contract: findGroupByOrder,
  operator: 'read',
});

const OnGroup = Type.Object({ group_id: Uuid });
const GroupAfter = Type.Object({ group_id: Uuid, group_state: GroupState });

/** Cancels a group that is still collecting (Q2); errors: not_found, group_not_payable after a capture. */
export const cancelGroupAsOperator = rpc('rpc.ledger.groups.cancel-as-operator.v1', {
  operator: 'act',
  request: OnGroup,
  response: GroupAfter,
});

/**
 * Repeats captures that failed for good while their hold is alive (D5); errors: not_found, group_not_payable,
 * conflict.
 */
export const retryCaptures = rpc('rpc.ledger.captures.retry.v1', {
  operator: 'act',
  request: OnGroup,
  response: GroupAfter,
});

/** Releases the holds that failed captures kept (D5); errors: not_found, conflict. */
export const giveUpCaptures = rpc('rpc.ledger.captures.give-up.v1', {
  operator: 'act',
  request: OnGroup,
  response: GroupAfter,
});

/** Orders a query of the gateway now for every try of a payment; errors: not_found, conflict. */
export const askGateway = rpc('rpc.ledger.intents.ask.v1', {
  operator: 'act',
  request: Type.Object({ intent_id: Uuid }),
  response: Type.Object({ group_id: Uuid, attempts: Type.Integer() }),
});

/**
 * Anonymises a payer: address and name are deleted for good, the payments stay without a payer (Q31). A later
 * payment with that address belongs to a new payer; errors: not_found.
 */
export const forgetCustomer = rpc('rpc.ledger.customers.forget.v1', {
  operator: 'act',
  request: Type.Object({ ...Scope, email: Type.String({ maxLength: 320 }) }),
  response: Type.Object({ customer_id: Uuid }),
});

/** Returns timers by their keys; those that fired or were cancelled are left out. */
export const findTimers = rpc('rpc.scheduler.timers.find.v1', {
  operator: 'read',
  request: Type.Object({
    owner: Type.String({ pattern: '^[a-z_]+$' }),
    keys: Type.Array(Type.String({ maxLength: 120 }), { maxItems: 1_000 }),
  }),
  response: Type.Object({
    timers: Type.Array(Type.Object({ key: Type.String(), kind: Type.String(), due_at: Instant })),
  }),
});
