import { isCollecting, type Command } from '../../src/domain/index.ts';
import { execute, held, withTruth } from './gateway.ts';
import { organiserActs } from './organisers.ts';
import { isRefused, step, withOutcome, withoutTimer } from './step.ts';
import {
  earlyDeathMs,
  instants,
  computeNow,
  OUTSIDE,
  type Bounds,
  type Call,
  type Decide,
  type Outcome,
  type Timer,
  type Visit,
  type World,
} from './world.ts';

/** Everything that can happen next, each as the world after it. */
export function eachNext(world: World, decide: Decide, bounds: Bounds, visit: Visit): void {
  payersPay(world, decide, bounds, visit);
  payersConfirm(world, decide, bounds, visit);
  if (world.outcomes.length < bounds.maxOutcomes) {
    const mayFail = world.faults < bounds.maxFaults;
    payersAct(world, bounds, mayFail, visit);
    schemeTakesBack(world, bounds, visit);
    merchantActsOutside(world, bounds, mayFail, visit);
    for (const call of world.calls) execute(world, call, mayFail, visit);
  }
  for (const outcome of world.outcomes) deliver(world, decide, bounds, outcome, visit);
  if (world.outcomes.length < bounds.maxOutcomes) {
    for (const timer of world.timers) fire(world, decide, timer, visit);
  }
  merchantActs(world, decide, bounds, visit);
  if (bounds.organiser) organiserActs(world, decide, visit);
  timePasses(world, visit);
}

const payers = [
  { customerId: 'ann', pspCode: 'gateway_b' },
  { customerId: 'bob', pspCode: 'gateway_a' },
] as const;
/** The slots are alike, so taking only the second is like taking only the first. */
const choices: readonly (readonly number[] | null)[] = [null, [0], [0, 1]];

function payersPay(world: World, decide: Decide, { maxIntents, maxTipMinor }: Bounds, visit: Visit): void {
  if (world.group.intents.length >= maxIntents) return;
  for (const { customerId, pspCode } of payers) {
    for (const choice of choices) {
      const slotIds = choice && choice.map((at) => world.group.slots[at]!.id);
      const account = { pspCode, credentialVersion: 1 };
      for (const tipMinor of maxTipMinor === null ? [0n] : [0n, maxTipMinor]) {
        const command: Command = {
          type: 'reserve',
          requesters: null,
          customerId,
          slotIds,
          tipMinor,
          account,
        };
        const next = step(world, decide, command, computeNow(world));
        const what = `${choice?.join('+') ?? 'all'}${tipMinor > 0n ? ' and tips' : ''}`;
        if (next) visit(`${customerId} takes ${what}`, next);
      }
    }
  }
}

function payersConfirm(world: World, decide: Decide, { maxAttempts }: Bounds, visit: Visit): void {
  for (const { id: intentId, pspCode, authorizations } of world.group.intents) {
    if (pspCode !== 'gateway_b' || authorizations.length >= maxAttempts) continue;
    const next = step(world, decide, { type: 'beginAuthorisation', intentId }, computeNow(world));
    const begun = next?.group.intents.find(({ id }) => id === intentId)?.authorizations ?? [];
    const authorization = begun.at(-1);
    if (!next || !authorization || begun.length === authorizations.length) {
      if (next) visit('confirm comes too late', next);
      continue;
    }
    const call = {
      operation: 'authorise',
      intentId,
      authorizationId: authorization.id,
      operationId: authorization.id,
    } as const;
    const rest = { seq: 1, notAfterMs: Infinity, unlessAuthorised: false, isRetried: false };
    visit('ann confirms', { ...next, calls: [...next.calls, { ...call, ...rest }] });
  }
}

/** On gateway_a the payer acts at the gateway itself, whenever the payment is open there. */
function payersAct(world: World, { hasAuthentication }: Bounds, mayFail: boolean, visit: Visit): void {
  for (const books of world.truths) {
    if (books.status !== 'open') continue;
    const { intentId, authorizationId } = books;
    // The adapter reports no hold whose capture is under way: the ledger knows the hold, or the report follows one that
    // was taken back.
    const isKnown = world.group.captures.some((capture) => capture.authorizationId === authorizationId);
    const told = (status: Outcome['status']): readonly Outcome[] =>
      isKnown
        ? world.outcomes
        : withOutcome(world.outcomes, {
            operation: 'authorise',
            intentId,
            authorizationId,
            operationId: authorizationId,
            status,
            isRepeat: false,
          });
    const truths = withTruth(world.truths, held(world, books, earlyDeathMs));
    visit('bob authorises', { ...world, truths, outcomes: told('authorised') });
    if (mayFail) visit('bob authorises, callback lost', { ...world, truths, faults: world.faults + 1 });
    // The payment stays open after a decline: the payer may try another card.
    visit('bob is declined', { ...world, outcomes: told('declined') });
    if (hasAuthentication && isUntouched(world, authorizationId))
      visit('bob is asked by his bank', { ...world, outcomes: told('authenticating') });
  }
}

/** The money goes back to the payer, who can pay again. The adapter reports it for a success that it knows. */
function schemeTakesBack(world: World, { maxReversals }: Bounds, visit: Visit): void {
  if (world.reversals >= maxReversals) return;
  for (const books of world.truths) {
    const { intentId, authorizationId, status, refunds } = books;
    const capture = world.group.captures.find((each) => each.authorizationId === authorizationId);
    const isOnA = world.group.intents.some(({ id, pspCode }) => id === intentId && pspCode === 'gateway_a');
    if (!isOnA || !capture || status !== 'captured' || refunds.length > 0) continue;
    const isTold = (each: Outcome) => each.authorizationId === authorizationId && each.status === 'captured';
    const { operationId } = capture;
    const reversal = {
      operation: 'capture',
      intentId,
      authorizationId,
      operationId,
      status: 'reversed',
    } as const;
    const outcomes =
      capture.state === 'captured' || world.outcomes.some(isTold)
        ? withOutcome(world.outcomes, { ...reversal, isRepeat: false })
        : world.outcomes;
    const truths = withTruth(world.truths, { ...books, status: 'open', captureBeforeMs: 0, captures: [] });
    visit('the scheme takes back', { ...world, truths, outcomes, reversals: world.reversals + 1 });
  }
}

/** The merchant captures at the gateway what is to be released there, or refunds such a capture (C8, Q82). */
function merchantActsOutside(world: World, { maxExternals }: Bounds, mayFail: boolean, visit: Visit): void {
  const { group, externals } = world;
  if (externals >= maxExternals) return;
  const hasEnded = group.expiredAtMs !== null || group.cancelledAtMs !== null;
  const isOver = hasEnded && group.captures.length === 0;
  for (const books of world.truths) {
    const { intentId, authorizationId, status } = books;
    const on = { intentId, authorizationId, operationId: OUTSIDE, isRepeat: false } as const;
    if (status === 'authorised' && (isOver || isReleased(group, authorizationId))) {
      const truths = withTruth(world.truths, { ...books, status: 'captured', captures: [OUTSIDE] });
      const captured = { ...world, truths, externals: externals + 1 };
      const outcomes = withOutcome(world.outcomes, { ...on, operation: 'capture', status: 'captured' });
      visit('the merchant captures outside', { ...captured, outcomes });
      const lost = { ...captured, faults: world.faults + 1 };
      if (mayFail) visit('the merchant captures outside, callback lost', lost);
    } else if (status === 'captured' && books.captures[0] === OUTSIDE && books.refunds.length === 0) {
      const truths = withTruth(world.truths, { ...books, refunds: [OUTSIDE] });
      // The adapter reads the whole payment, so it reports the capture together with the refund.
      const capture = withOutcome(world.outcomes, { ...on, operation: 'capture', status: 'captured' });
      const outcomes = withOutcome(capture, { ...on, operation: 'refund', status: 'refunded' });
      visit('the merchant refunds outside', { ...world, truths, outcomes, externals: externals + 1 });
    }
  }
}

/** Returns whether the void of the hold was ordered, and it was reported before. */
function isReleased({ intents, voids }: World['group'], authorizationId: string): boolean {
  const isKnown = intents.some(({ authorizations }) =>
    authorizations.some(({ id, state }) => id === authorizationId && state === 'authorised'),
  );
  return (
    isKnown && voids.some((order) => order.authorizationId === authorizationId && !order.unlessAuthorised)
  );
}

/** Returns whether the ledger has received no outcome of the payment since it was prepared. */
function isUntouched({ group }: World, authorizationId: string): boolean {
  return group.intents.some(
    ({ state, authorizations }) => state === 'created' && authorizations[0]?.id === authorizationId,
  );
}

function deliver(world: World, decide: Decide, bounds: Bounds, outcome: Outcome, visit: Visit): void {
  const rest = world.outcomes.filter((each) => each !== outcome);
  const told = { ...world, outcomes: rest };
  const command = toCommand(world, outcome);
  // A refused message is delivered again.
  const isOutside = outcome.operationId === OUTSIDE;
  if ((outcome.status === 'reversed' || isOutside) && isRefused(world, decide, command)) return;
  const next = step(told, decide, command, computeNow(world)) ?? told;
  const name = `${outcome.operation} ${outcome.status} arrives`;
  visit(outcome.isRepeat ? `${name} again` : name, next);
  if (!outcome.isRepeat && world.repeats < bounds.maxRepeats) {
    const again = [...next.outcomes, { ...outcome, isRepeat: true }];
    visit(`${name}, will come again`, { ...next, outcomes: again, repeats: world.repeats + 1 });
  }
}

function toCommand(world: World, outcome: Outcome): Command {
  const { operation, intentId, authorizationId, operationId } = outcome;
  const on = { intentId, authorizationId, operationId };
  const result = toResult(world, outcome) as never;
  if (outcome.status === 'reversed') return { type: 'reverseCapture', intentId };
  if (operationId === OUTSIDE) return toExternalCommand(world, outcome);
  if (operation === 'capture') return { type: 'recordCapture', ...on, result };
  if (operation === 'void') return { type: 'recordVoid', ...on, result };
  if (operation === 'refund') return { type: 'recordRefund', ...on, result };
  if (outcome.status === 'authenticating')
    return { type: 'noteAuthorising', intentId, authorizationId, pspReference: null };
  return { type: 'recordAuthorisation', intentId, authorizationId, result };
}

function toExternalCommand({ group }: World, outcome: Outcome): Command {
  const { operation, intentId, authorizationId } = outcome;
  const amountMinor = group.intents.find(({ id }) => id === intentId)?.amountMinor ?? 0n;
  const on = { intentId, authorizationId, amountMinor };
  if (operation === 'refund') return { type: 'recordExternalRefund', ...on, refundId: OUTSIDE };
  return { type: 'recordExternalCapture', ...on };
}

const refused = { code: 'refused', message: 'refused', retryable: false };

function toResult({ group, truths }: World, { intentId, authorizationId, status }: Outcome): object {
  const amountMinor = group.intents.find(({ id }) => id === intentId)?.amountMinor ?? 0n;
  const captureBeforeMs =
    truths.find((each) => each.authorizationId === authorizationId)?.captureBeforeMs ?? null;
  return { status, amountMinor, captureBeforeMs, pspReference: null, failure: refused };
}

/**
 * Any timer may fire at any time, early or late, as if its time had come. Only the timer that watches an order waits
 * until no answer is on its way: an answer sent twice is modelled as such.
 */
function fire(world: World, decide: Decide, timer: Timer, visit: Visit): void {
  if (isAnswerComing(world, timer)) return;
  const command = parseTimer(timer);
  const fired = { ...world, timers: withoutTimer(world.timers, timer.key) };
  const nowMs = timer.timer === 'reservation' ? computeNow(world) + 200 : computeNow(world);
  const next = step(fired, decide, command, nowMs) ?? fired;
  visit(`timer ${timer.timer}`, next);
}

const watched: Partial<Record<Timer['timer'], Call['operation']>> = {
  capture_retry: 'capture',
  void_retry: 'void',
  refund_retry: 'refund',
  authorisation_query: 'authorise',
};

function isAnswerComing({ calls, outcomes }: World, { timer, intentId, authorizationId }: Timer): boolean {
  const operation = watched[timer];
  if (!operation) return false;
  const isAbout = (each: Call | Outcome) =>
    each.operation === operation &&
    each.intentId === intentId &&
    (!authorizationId || each.authorizationId === authorizationId);
  return calls.some(isAbout) || outcomes.some((each) => !each.isRepeat && isAbout(each));
}

function parseTimer({ timer, intentId, authorizationId }: Timer): Command {
  const on = { intentId: intentId ?? '', authorizationId: authorizationId ?? '' };
  switch (timer) {
    case 'group_expiry':
      return { type: 'expire' };
    case 'reservation':
      return { type: 'reservationExpiryDue', ...on };
    case 'hold_lapse':
      return { type: 'holdExpiryDue', ...on };
    case 'capture_retry':
      return { type: 'captureRetryDue', ...on };
    case 'refund_retry':
      return { type: 'refundRetryDue', ...on };
    case 'void_retry':
      return { type: 'voidRetryDue', ...on };
    case 'authorisation_query':
      return { type: 'authorisationQueryDue', ...on, step: 0 };
  }
}

/** Commands of the merchant, an operator, and a scheduler whose cancelled expiry timer fires all the same. */
function merchantActs(world: World, decide: Decide, { maxRefunds, canCancel }: Bounds, visit: Visit): void {
  const { group } = world;
  // A cancelled timer may already have been on its way.
  tell('the expiry timer fires late', { type: 'expire' });
  if (canCancel) tell('the merchant cancels', { type: 'cancel' });
  if (group.state === 'capture_failed') tell('an operator retries', { type: 'retryCapture' });
  if (group.captures.length === 0 || group.refundNumber >= maxRefunds) return;
  const refund = { type: 'openRefund', refundId: 'refund', source: 'api' } as const;
  tell('the merchant refunds all', { ...refund, slotIds: null });
  tell('the merchant refunds one', { ...refund, slotIds: [group.slots[0]!.id] });

  function tell(name: string, command: Command): void {
    const next = step(world, decide, command, computeNow(world));
    if (next) visit(name, next);
  }
}

/** Time jumps to the next instant that matters; holds past their end are dead at the gateway. */
function timePasses(world: World, visit: Visit): void {
  const isEarlyHeld = world.truths.some(
    (each) => each.status === 'authorised' && each.captureBeforeMs === earlyDeathMs,
  );
  const isHeld = world.truths.some(({ status }) => status === 'authorised');
  const { group } = world;
  const isExtended = isCollecting(group) && group.expiresAtMs > computeNow(world);
  if (world.clock >= 3 && !isHeld && !isExtended) return;
  const clock = world.clock === 0 && !isEarlyHeld ? 3 : world.clock + 1;
  if (clock >= instants.length) return;
  const nowMs = instants[clock] ?? 0;
  const truths = world.truths.map((each) =>
    each.status === 'authorised' && each.captureBeforeMs <= nowMs
      ? { ...each, status: 'ended' as const }
      : each,
  );
  visit('time passes', { ...world, clock, truths });
}
