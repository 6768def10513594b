import type { Command, Context, AcceptedDecision, GroupEffect, Group } from '../../src/domain/index.ts';
import { checkDecision, checkOrganiser } from './promises.ts';
import {
  formatId,
  modelPolicy,
  computeNow,
  type Call,
  type Decide,
  type Outcome,
  type Timer,
  type Truth,
  type World,
} from './world.ts';

type Operation = Extract<GroupEffect, { kind: 'operation' }>;

/** Gives the ledger a command at an instant. Returns undefined when nothing is written. */
export function step(world: World, decide: Decide, command: Command, nowMs: number): World | undefined {
  let { ids } = world;
  const decision = decide(
    world.group,
    command,
    contextAt(nowMs, () => formatId(ids++)),
  );
  checkOrganiser(world.group, command, decision);
  if (decision.kind !== 'accepted') return undefined;
  const announced = checkDecision(world, decision);
  const [calls, timers, outcomes] = perform(world, decision);
  return {
    ...world,
    group: decision.next,
    truths: prepare(world, decision),
    calls,
    timers,
    outcomes,
    announced,
    ids,
  };
}

/** Returns whether the ledger refuses a command, so that its sender has to send it again; it may write an expiry all the same. */
export function isRefused(world: World, decide: Decide, command: Command): boolean {
  const context = contextAt(computeNow(world), () => formatId(world.ids));
  const decision = decide(world.group, command, context);
  return decision.kind === 'rejected' || (decision.kind === 'accepted' && decision.refusal !== undefined);
}

function contextAt(nowMs: number, newId: () => string): Context {
  return { nowMs, newId, policy: modelPolicy, jitter: (delayMs) => delayMs, isRevoked: () => false };
}

/** A payment that is prepared at the gateway exists there from the reservation on, and the payer may act at any time. */
function prepare({ truths, group }: World, { next }: AcceptedDecision): readonly Truth[] {
  if (next.intents.length === group.intents.length) return truths;
  const intent = next.intents.at(-1);
  const authorization = intent?.authorizations[0];
  if (!intent || !authorization) return truths;
  return [...truths, truth(intent.id, authorization.id, 'open')];
}

export function truth(intentId: string, authorizationId: string, status: Truth['status']): Truth {
  return { authorizationId, intentId, status, captureBeforeMs: 0, captures: [], refunds: [] };
}

/** Sends the orders, answers the queries, sets and cancels the timers. */
function perform(
  world: World,
  { effects }: AcceptedDecision,
): readonly [readonly Call[], readonly Timer[], readonly Outcome[]] {
  let { calls, timers, outcomes } = world;
  for (const effect of effects) {
    if (effect.kind === 'timer.set') timers = withTimer(timers, effect);
    else if (effect.kind === 'timer.cancel') timers = withoutTimer(timers, effect.key);
    else if (effect.kind === 'operation') {
      if (effect.operation !== 'query' && !wasSent(world.group, effect)) calls = [...calls, toCall(effect)];
      else outcomes = withAnswer(world, outcomes, effect);
    }
  }
  return [calls, timers, outcomes];
}

function toCall({ operation, ...effect }: Operation): Call {
  const { intentId, authorizationId, operationId, seq, unlessAuthorised } = effect;
  const notAfterMs = effect.notAfterMs ?? Infinity;
  const order = {
    intentId,
    authorizationId,
    operationId,
    seq,
    notAfterMs,
    unlessAuthorised,
    isRetried: false,
  };
  return { operation: operation as Call['operation'], ...order };
}

/** Whether the order is a repetition into silence, which the adapter takes for a question. */
function wasSent({ captures, voids, refundLines }: Group, { operationId }: Operation): boolean {
  const isSame = (order: { readonly operationId: string }) => order.operationId === operationId;
  return captures.some(isSame) || voids.some(isSame) || refundLines.some(isSame);
}

/** The gateway's answer to a query; nothing new while a call is running or the payer may still act. */
function withAnswer(world: World, outcomes: readonly Outcome[], effect: Operation): readonly Outcome[] {
  const { intentId, authorizationId, operationId } = effect;
  const operation = effect.operation === 'query' ? 'authorise' : effect.operation;
  if (world.calls.some((call) => call.operationId === operationId)) return outcomes;
  const books =
    world.truths.find((each) => each.authorizationId === authorizationId) ??
    truth(intentId, authorizationId, 'none');
  const status = answers[operation](books, effect);
  if (!status) return outcomes;
  return withOutcome(outcomes, {
    operation,
    intentId,
    authorizationId,
    operationId,
    status,
    isRepeat: false,
  });
}

type Answer = (books: Truth, effect: Operation) => Outcome['status'] | undefined;
const answers: Readonly<Record<Call['operation'], Answer>> = {
  authorise: ({ status }) => (status === 'open' ? undefined : told[status]),
  capture: ({ status }) =>
    status === 'captured' ? 'captured' : status === 'authorised' ? 'retryable' : 'lapsed',
  void: ({ status }, { unlessAuthorised }) => {
    if (status === 'captured') return 'captured';
    if (status === 'ended') return 'voided';
    return status === 'authorised' && unlessAuthorised ? 'already_authorised' : 'retryable';
  },
  refund: ({ status, refunds }, { operationId }) => {
    if (refunds.includes(operationId)) return 'refunded';
    return status === 'captured' ? 'retryable' : 'failed';
  },
};

const told = {
  // The settle window has passed: "no such payment" counts, because no call can still create it.
  none: 'absent',
  authorised: 'authorised',
  declined: 'declined',
  ended: 'lapsed',
  captured: 'authorised',
} as const;

export function withOutcome(outcomes: readonly Outcome[], outcome: Outcome): readonly Outcome[] {
  const isThere = outcomes.some(
    (each) =>
      each.operation === outcome.operation &&
      each.authorizationId === outcome.authorizationId &&
      each.operationId === outcome.operationId &&
      each.status === outcome.status &&
      !each.isRepeat,
  );
  return isThere ? outcomes : [...outcomes, outcome];
}

function withTimer(
  timers: readonly Timer[],
  effect: Extract<GroupEffect, { kind: 'timer.set' }>,
): readonly Timer[] {
  if (timers.some(({ key }) => key === effect.key)) return timers;
  const { key, timer, data } = effect;
  return [...timers, { key, timer, intentId: data.intentId, authorizationId: data.attemptId }];
}

export function withoutTimer(timers: readonly Timer[], key: string): readonly Timer[] {
  return timers.some((timer) => timer.key === key) ? timers.filter((timer) => timer.key !== key) : timers;
}
