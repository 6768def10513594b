import Type, { type Static } from '@gp/bundled/typebox';
import { message, rpc } from '../contract.ts';
import { CurrencyCode, Failure, Instant, Minor, Nullable, OneOf, PspCode, Scope, Uuid } from '../common.ts';
import { IntentView, GroupState } from '../ledger/views.ts';

/**
 * The result of one operation at a gateway. `operation_id` is the id of the ledger's own row for it: the
 * authorise attempt, the capture try, the void try or the refund line's try.
 *
 * status by operation:
 * authorise: authorised | authenticating | declined | unknown | absent | lapsed
 * capture:   captured | retryable | unknown | failed | lapsed
 * void:      voided | absent | retryable | unknown | captured | spared
 * refund:    refunded | retryable | unknown | failed
 * dispute:   disputed | undisputed (external only)
 * `unknown` is never a failure (R5). `retryable` had definitely no effect. `absent` is a positive "no such
 * payment" after the settle window. `lapsed`: the hold, or the payment that might have become one, ended at the
 * gateway. `spared` is the result of a void that had to leave an existing hold alone: it carries the hold's
 * amount and `capture_before`. With source `external` or `callback` and no `operation_id`, capture/refund report
 * an operation that is not ours: captured, refunded, or `failed` when an earlier success was reversed.
 */
export const Outcome = Type.Object({
  message_id: Uuid,
  ...Scope,
  group_id: Uuid,
  intent_id: Uuid,
  attempt_id: Nullable(Uuid),
  operation: OneOf(['authorise', 'capture', 'void', 'refund', 'dispute']),
  operation_id: Nullable(Uuid),
  source: OneOf(['response', 'callback', 'query', 'external']),
  psp_code: PspCode,
  psp_reference: Nullable(Type.String({ maxLength: 120 })),
  status: OneOf([
    'authorised',
    'authenticating',
    'declined',
    'absent',
    'lapsed',
    'captured',
    'voided',
    'refunded',
    'disputed',
    'undisputed',
    'spared',
    'retryable',
    'unknown',
    'failed',
  ]),
  amount_minor: Nullable(Minor),
  currency: Nullable(CurrencyCode),
  /** The end of the hold; with `authorised` and `spared`, null where the gateway does not state it. */
  capture_before: Nullable(Instant),
  failure: Nullable(Failure),
  observed_at: Instant,
});
export type Outcome = Static<typeof Outcome>;

const OutcomeVerdict = Type.Object({
  verdict: OneOf(['applied', 'ignored']),
  reason: Nullable(Type.String()),
  intent: IntentView,
  group_state: GroupState,
  /** True once the group's time ran out, in whatever state it left the group; absent in replies of older releases. */
  is_group_expired: Type.Optional(Type.Boolean()),
});

/**
 * The fast path of an outcome: same `message_id` as its durable copy, and the second to arrive changes nothing.
 */
export const recordOutcome = rpc('rpc.ledger.outcomes.record.v1', {
  repeatable: true,
  request: Outcome,
  response: OutcomeVerdict,
});
export const outcomeRecorded = message('cmd.ledger.outcome.record.v1', Outcome);
