import { pspCodes, type PspCode } from '@gp/gateway-registry';
import Type, { type Static } from '@gp/bundled/typebox';
import { rpc } from '../contract.ts';
import { Instant, Mode, Nullable, Uuid } from '../common.ts';

const PLATFORM = [
  'api_gateway',
  'checkout',
  'ledger',
  'merchant',
  'refund',
  'scheduler',
  'webhooks',
] as const;
export type Operated = (typeof PLATFORM)[number] | PspCode;

/** Every context with an outbox, dead letters and operator tasks: the platform's and each adapter. */
export const OPERATED: readonly Operated[] = [...PLATFORM, ...pspCodes].sort();

/** A matter that needs a person; the same key is the same matter. */
export const OperatorTask = Type.Object({
  key: Type.String(),
  code: Type.String(),
  merchant_id: Nullable(Type.String()),
  mode: Nullable(Mode),
  group_id: Nullable(Uuid),
  intent_id: Nullable(Uuid),
  details: Type.Record(Type.String(), Type.Unknown()),
  raised_at: Instant,
  /** How often the matter came up. */
  times: Type.Integer({ minimum: 1 }),
  resolved_at: Nullable(Instant),
  resolved_by: Nullable(Type.String()),
  resolution: Nullable(Type.String()),
});
export type OperatorTask = Static<typeof OperatorTask>;

export const DeadLetterView = Type.Object({
  id: Type.String(),
  consumer: Type.String(),
  message_id: Type.String(),
  subject: Type.String(),
  mode: Nullable(Mode),
  reason: Type.String(),
  delivery_count: Type.Integer(),
  dead_at: Instant,
  replayed_at: Nullable(Instant),
  /** The first 2,000 characters. */
  payload: Type.String(),
});
export type DeadLetterView = Static<typeof DeadLetterView>;

const Limit = Type.Integer({ minimum: 1, maximum: 200 });

/** Lists tasks of one context, oldest first, as many as fit; `resolved` includes the resolved ones. */
export const listTasks = (context: Operated) =>
  rpc(`rpc.${context}.tasks.list.v1`, {
    operator: 'read',
    request: Type.Object({ resolved: Type.Boolean(), limit: Limit }),
    response: Type.Object({ tasks: Type.Array(OperatorTask) }),
  });

/** Resolves a task with a note; errors: not_found (also when it was resolved before). */
export const resolveTask = (context: Operated) =>
  rpc(`rpc.${context}.tasks.resolve.v1`, {
    operator: 'act',
    request: Type.Object({
      key: Type.String({ minLength: 1, maxLength: 400 }),
      note: Type.String({ minLength: 1, maxLength: 1_000 }),
    }),
    response: OperatorTask,
  });

/** Lists messages given up by one context, newest first, as many as fit. */
export const listDeadLetters = (context: Operated) =>
  rpc(`rpc.${context}.dead-letters.list.v1`, {
    operator: 'read',
    request: Type.Object({ replayed: Type.Boolean(), limit: Limit }),
    response: Type.Object({ letters: Type.Array(DeadLetterView) }),
  });

const LetterId = Type.String({ pattern: '^[0-9]{1,18}$' });

/** Has the context handle a dead letter's message again; errors: not_found, conflict with the reason. */
export const replayDeadLetter = (context: Operated) =>
  rpc(`rpc.${context}.dead-letters.replay.v1`, {
    operator: 'act',
    request: Type.Object({ id: LetterId }),
    response: Type.Object({ id: LetterId }),
  });

/** Publishes again what the context sent in [from, to); returns the number of messages. */
export const republishOutbox = (context: Operated) =>
  rpc(`rpc.${context}.outbox.republish.v1`, {
    operator: 'act',
    request: Type.Object({ from: Instant, to: Instant }),
    response: Type.Object({ messages: Type.Integer() }),
  });

/** Every call with which an operator looks after one context. */
export const operatorCalls = (context: Operated) => [
  listTasks(context),
  resolveTask(context),
  listDeadLetters(context),
  replayDeadLetter(context),
  republishOutbox(context),
];
