import {
  computeKeptTipMinor,
  computeSlotsMinor,
  derive,
  isChargeBooked,
  isCollecting,
  isWinner,
  type AcceptedDecision,
  type Command,
  type Group,
  type GroupDecision,
  type Intent,
} from '../../src/domain/index.ts';
import type { World } from './world.ts';

/** Thrown where a promise of the product does not hold; names the promise. */
export class Broken extends Error {
  constructor(promise: string) {
    super(promise);
    this.name = 'Broken';
  }
}

/** Holds the product to one of its promises. */
export function must(holds: boolean, promise: string): void {
  if (!holds) throw new Broken(promise);
}

const announcements = [
  'group_payment.partially_paid',
  'group_payment.paid',
  'group_payment.partially_refunded',
  'group_payment.refunded',
];

/** Checks the events and messages of a decision; returns the group events announced so far. */
export function checkDecision(world: Pick<World, 'group' | 'announced'>, decision: AcceptedDecision): number {
  const { next, events, postings } = decision;
  let { announced } = world;
  let { sequence } = world.group;
  for (const event of events) {
    must(event.sequence === ++sequence, 'S10 events are numbered without a gap');
    const bit = announcements.indexOf(event.type);
    if (bit < 0) continue;
    const captured = next.captures.filter(({ state }) => state === 'captured').length;
    // A charge that proves the last hold starts the captures and completes them at once.
    const isPaidAtOnce = events.some(({ type }) => type === 'group_payment.paid');
    // An expiry that is performed before a command captured what that command then takes back.
    const isTakenBack = decision.transitions.some(({ trigger }) => trigger === 'reverse_capture');
    const taken = 'amountCapturedMinor' in event.data ? event.data.amountCapturedMinor : 0n;
    if (bit === 0)
      must(
        taken > 0n && (isTakenBack || captured < next.captures.length || isPaidAtOnce || !isWhole(next)),
        'S6 partially_paid means some captured money',
      );
    if (bit === 1)
      must(isTakenBack || (captured === next.captures.length && isWhole(next)), 'S6 paid means all captured');
    if (bit < 2) must((announced & (1 << bit)) === 0, 'S6 partially_paid and paid are announced once');
    announced |= 1 << bit;
  }
  must(next.sequence === sequence, 'S10 every number belongs to an event');
  let sum = 0n;
  for (const { amountMinor } of postings) sum += amountMinor;
  must(sum === 0n, 'S8 postings sum to zero');
  if (postings.length > 0) checkBooks(world.group, next, postings);
  checkGroupEvents(decision);
  checkReleases(world.group, decision);
  return announced;
}

/** An organiser does only what the creation allowed, and no decision changes that (Q84, Q85). */
export function checkOrganiser(before: Group, command: Command, decision: GroupDecision): void {
  const next = decision.kind === 'accepted' ? decision.next : before;
  must(next.organiser === before.organiser, 'Q84 the rights of an organiser never change');
  if (command.type !== 'organiserExtend' && command.type !== 'organiserCancel') return;
  const { may = [], latestExpiresAtMs = null } = before.organiser ?? {};
  const isRefused =
    decision.kind === 'rejected' || (decision.kind === 'accepted' && decision.refusal !== undefined);
  if (command.type === 'organiserCancel') {
    must(isRefused || may.includes('cancel'), 'Q84 an organiser cancels by right only');
    must(isRefused || next.cancelledAtMs !== null, 'Q85 a cancellation is refused or cancels');
    return;
  }
  must(isRefused || may.includes('extend'), 'Q84 an organiser extends by right only');
  const isReached = command.expiresAtMs <= before.expiresAtMs;
  must(
    !isReached || !isRefused || !may.includes('extend'),
    'Q88 an extension that holds already is no error',
  );
  const isKept = next.expiresAtMs === before.expiresAtMs;
  const isAllowed = next.expiresAtMs > before.expiresAtMs && next.expiresAtMs <= (latestExpiresAtMs ?? 0);
  must(isKept || isAllowed, 'Q84 an organiser extends to the latest expiry at most');
}

/** States of a group that are no news to its merchant. */
const unannounced = new Set(['open', 'partially_preauthorised', 'preauthorised', 'capturing', 'refunding']);

/** A group announces each state that it enters, in that order, and nothing else. */
function checkGroupEvents({ transitions, events }: AcceptedDecision): void {
  const told = events.map(({ type }) => type).filter((type) => isOfState(type));
  for (const { entity, to } of transitions) {
    if (entity !== 'group' || unannounced.has(to)) continue;
    must(told.shift() === `group_payment.${to}`, 'S10 a group announces each state it enters');
  }
  must(told.length === 0, 'S10 a group announces no state that it did not enter');
}

// An update enters no state.
const isOfState = (type: string): boolean =>
  type.startsWith('group_payment.') && type !== 'group_payment.updated';

/** A payment is announced as released where its last hold ended without a charge, and nowhere else. */
function checkReleases({ intents }: Group, { next, events }: AcceptedDecision): void {
  for (const intent of next.intents) {
    const before = intents.find(({ id }) => id === intent.id);
    const isReleased =
      before !== undefined && isUnchargedHold(before) && before.amountCapturedMinor === 0n && !isHeld(intent);
    const told = events.filter(
      ({ type, data }) =>
        type === 'payment_intent.released' && 'paymentIntentId' in data && data.paymentIntentId === intent.id,
    ).length;
    must(told === (isReleased ? 1 : 0), 'S10 a payment announces once that its hold was given back');
  }
}

function isHeld({ authorizations }: Intent): boolean {
  return authorizations.some(({ state }) => state === 'authorised');
}

/** Whether something is held that was not captured outside the slots. */
function isUnchargedHold({ authorizations }: Intent): boolean {
  return authorizations.some(
    ({ state, amountCapturedMinor }) => state === 'authorised' && amountCapturedMinor === 0n,
  );
}

/** The postings moved the amounts that the group's rows state. */
function checkBooks(before: Group, after: Group, postings: AcceptedDecision['postings']): void {
  let held = 0n;
  let captured = 0n;
  let tips = 0n;
  for (const { account, amountMinor } of postings) {
    if (account === 'group:held') held += amountMinor;
    if (account === 'merchant:captured' || account === 'merchant:tips') captured += amountMinor;
    if (account === 'merchant:tips') tips += amountMinor;
  }
  must(held === heldMinor(after) - heldMinor(before), 'S8 the account of holds equals the holds');
  must(
    captured === capturedMinor(after) - capturedMinor(before),
    "S8 the merchant's accounts equal the captures",
  );
  must(
    tips === keptTipsMinor(after) - keptTipsMinor(before),
    'S8 the account of tips is what the merchant has of them',
  );
}

/** Returns how much of the tips of a group's payments the merchant has. */
export function keptTipsMinor({ intents }: Group): bigint {
  return intents.reduce((sum, intent) => sum + computeKeptTipMinor(intent), 0n);
}

function heldMinor({ intents }: Group): bigint {
  let sum = 0n;
  for (const intent of intents) {
    for (const authorization of intent.authorizations) {
      const { state, amountMinor } = authorization;
      if (state === 'authorised' && !isChargeBooked(intent, authorization)) sum += amountMinor ?? 0n;
    }
  }
  return sum;
}

function capturedMinor({ intents }: Group): bigint {
  let sum = 0n;
  for (const intent of intents)
    for (const { amountCapturedMinor, amountRefundedMinor } of [intent, ...intent.authorizations])
      sum += amountCapturedMinor - amountRefundedMinor;
  return sum;
}

/** Checks everything the product promises about one group, in every state of the gateway. */
export function checkGroup(group: Group): void {
  checkEnd(group);
  must(group.state === derive(group), 'S5 the state of the group is derived');
  const captured = group.captures.map(({ intentId }) => intentId);
  must(new Set(captured).size === captured.length, 'S6 a payment has one capture at most');
  checkSlots(group);
  for (const intent of group.intents) {
    checkAmounts(intent);
    checkTip(group, intent);
  }
}

/** Captures after the time ran out need a minimum that the creation set, and reach it (R7, Q90). */
function checkEnd({ captures, cancelledAtMs, expiredAtMs, captureMinimum, intents }: Group): void {
  if (captures.length === 0 || (cancelledAtMs === null && expiredAtMs === null)) return;
  must(cancelledAtMs === null, 'R7 cancellation ends where capturing begins');
  if (captureMinimum === null) throw new Broken('R7 expiry ends where capturing begins');
  const ordered = intents.filter(({ id }) => captures.some(({ intentId }) => intentId === id));
  const isReached =
    captureMinimum.unit === 'slots'
      ? ordered.flatMap(({ slotIds }) => slotIds).length >= captureMinimum.count
      : ordered.reduce((sum, intent) => sum + computeSlotsMinor(intent), 0n) >= captureMinimum.minor;
  must(isReached, 'Q90 less than the minimum is released');
}

/** A payment is for its slots and its tip, which is one that the creation allows (Q91). */
function checkTip({ slots, maxTipMinor }: Group, intent: Intent): void {
  const { slotIds, tipMinor } = intent;
  const slotsMinor = slots.reduce(
    (sum, { id, amountMinor }) => (slotIds.includes(id) ? sum + amountMinor : sum),
    0n,
  );
  must(computeSlotsMinor(intent) === slotsMinor, 'S2 a payment is for its slots and its tip');
  must(tipMinor >= 0n && tipMinor <= (maxTipMinor ?? 0n), 'S2 no tip is larger than its group allows');
  const kept = computeKeptTipMinor(intent);
  must(kept >= 0n && kept <= tipMinor, 'S2 no more than the tip is captured as a tip');
}

/** Whether every slot belongs to a payment that is captured. */
function isWhole({ slots, captures }: Group): boolean {
  return slots.every((slot) => captures.some(({ intentId }) => intentId === slot.intentId));
}

function checkSlots(group: Group): void {
  for (const slot of group.slots) {
    const owner = group.intents.find(({ id }) => id === slot.intentId);
    if (slot.state === 'unassigned') must(!owner, 'a free slot has no owner');
    if (slot.state === 'assigned')
      must(isAlive(owner, ['created', 'processing']), 'a taken slot has a payer at work');
    if (slot.state === 'preauthorised') {
      must(isAlive(owner, ['preauthorised', 'capture_pending']), 'S1 a held slot has one hold');
    }
    if (slot.state === 'captured')
      must(isAlive(owner, ['captured', 'refund_pending']), 'S6 a captured slot is paid');
    if (slot.state === 'refunded') must(isAlive(owner, ['refunded']), 'a refunded slot got its money back');
  }
  for (const intent of group.intents) checkTogether(group, intent);
}

function checkTogether(group: Group, intent: Intent): void {
  const wanted = deriveSlotState(group, intent);
  if (!wanted) return;
  for (const slot of group.slots) {
    if (!intent.slotIds.includes(slot.id)) continue;
    must(slot.state === wanted && slot.intentId === intent.id, 'B10 all slots of an intent move together');
  }
}

/** The state that every slot of the intent must be in; undefined where the intent has no say. */
function deriveSlotState(group: Group, { state }: Intent): string | undefined {
  if (state === 'created' || state === 'processing') return isCollecting(group) ? 'assigned' : undefined;
  if (state === 'preauthorised' || state === 'capture_pending') return 'preauthorised';
  if (state === 'captured' || state === 'refund_pending') return 'captured';
  return state === 'refunded' ? 'refunded' : undefined;
}

function isAlive(intent: Intent | undefined, states: readonly string[]): boolean {
  return intent !== undefined && states.includes(intent.state);
}

function checkAmounts(intent: Intent): void {
  for (const each of [intent, ...intent.authorizations]) {
    must(each.amountCapturedMinor <= (each.amountMinor ?? 0n), 'S2 no more than the hold is captured');
    must(each.amountRefundedMinor <= each.amountCapturedMinor, 'S2 no more than the capture is refunded');
    must(each.amountRefundedMinor >= 0n, 'S2 no more is taken back than was refunded');
  }
  const winner = intent.authorizations.find(({ id }) => isWinner(intent, id));
  must(!winner?.amountCapturedMinor, 'S2 a charge that counts is not booked outside the slots as well');
}
