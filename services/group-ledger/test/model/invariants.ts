import { derive, isCollecting, type Decision, type Group, type Intent } from '../../src/domain/index.ts';
import { slotMinor, type Truth, type World } from './world.ts';

type Accepted = Extract<Decision, { kind: 'accepted' }>;

/** Thrown where a promise of the product does not hold; names the promise. */
export class Broken extends Error {
  constructor(promise: string) {
    super(promise);
    this.name = 'Broken';
  }
}

function must(holds: boolean, promise: string): void {
  if (!holds) throw new Broken(promise);
}

const announcements = [
  'group_payment.partially_paid',
  'group_payment.paid',
  'group_payment.partially_refunded',
  'group_payment.refunded',
];

/** Checks what goes with a decision; answers the group events announced so far. */
export function checkDecision(world: World, { next, events, postings }: Accepted): number {
  let { announced } = world;
  let { sequence } = world.group;
  for (const event of events) {
    must(event.sequence === ++sequence, 'S10 events are numbered without a gap');
    const bit = announcements.indexOf(event.type);
    if (bit < 0) continue;
    const captured = next.captures.filter(({ state }) => state === 'captured').length;
    if (bit === 0)
      must(captured > 0 && captured < next.captures.length, 'S6 partially_paid means some captured money');
    if (bit === 1)
      must(captured === next.slots.length || captured === next.captures.length, 'S6 paid means all captured');
    if (bit < 2) must((announced & (1 << bit)) === 0, 'S6 partially_paid and paid are announced once');
    announced |= 1 << bit;
  }
  must(next.sequence === sequence, 'S10 every number belongs to an event');
  let sum = 0n;
  for (const { amountMinor } of postings) sum += amountMinor;
  must(sum === 0n, 'S8 postings sum to zero');
  if (postings.length > 0) checkBooks(world.group, next, postings);
  return announced;
}

/** What the postings moved is what the group's rows say was moved. */
function checkBooks(before: Group, after: Group, postings: Accepted['postings']): void {
  let held = 0n;
  let captured = 0n;
  for (const { account, amountMinor } of postings) {
    if (account === 'group:held') held += amountMinor;
    if (account === 'merchant:captured') captured += amountMinor;
  }
  must(held === heldMinor(after) - heldMinor(before), 'S8 the account of holds equals the holds');
  must(
    captured === capturedMinor(after) - capturedMinor(before),
    "S8 the merchant's account equals the captures",
  );
}

function heldMinor({ intents }: Group): bigint {
  let sum = 0n;
  for (const intent of intents) {
    for (const { id, state, amountMinor } of intent.attempts) {
      const isCaptured = id === intent.winningAttemptId && intent.amountCapturedMinor > 0n;
      if (state === 'authorised' && !isCaptured) sum += amountMinor ?? 0n;
    }
  }
  return sum;
}

function capturedMinor({ intents }: Group): bigint {
  let sum = 0n;
  for (const { amountCapturedMinor, amountRefundedMinor } of intents)
    sum += amountCapturedMinor - amountRefundedMinor;
  return sum;
}

/** Checks everything the product promises about one state of the world. */
export function checkWorld(world: World): void {
  const { group } = world;
  must(group.state === derive(group), 'S5 the state of the group is derived');
  checkSlots(group);
  const isOver = group.expiredAtMs !== null || group.cancelledAtMs !== null;
  if (isOver) {
    must(group.captures.length === 0, 'R7 expiry and cancellation end where capturing begins');
    must(
      !world.calls.some(({ operation }) => operation === 'capture'),
      'S3 nothing is captured after the end',
    );
  }
  let captured = 0n;
  for (const truth of world.truths) {
    must(truth.captures.length <= 1, 'S7 one capture per payment');
    must(truth.refunds.length <= 1, 'S7 one refund per payment');
    if (truth.status === 'captured') {
      must(!isOver, 'S3 nobody is charged after the end');
      captured += group.intents.find(({ id }) => id === truth.intentId)?.amountMinor ?? 0n;
    }
    checkHold(world, truth);
  }
  must(captured <= group.totalMinor, 'S2 no more than the total is captured');
  for (const intent of group.intents) checkAmounts(intent);
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
    must(slot.amountMinor === slotMinor, 'amounts never change');
  }
  for (const intent of group.intents) checkTogether(group, intent);
}

function checkTogether(group: Group, intent: Intent): void {
  const wanted = slotStateOf(group, intent);
  if (!wanted) return;
  for (const slot of group.slots) {
    if (!intent.slotIds.includes(slot.id)) continue;
    must(slot.state === wanted && slot.intentId === intent.id, 'B10 all slots of an intent move together');
  }
}

/** The state that every slot of the intent must be in; undefined where the intent has no say. */
function slotStateOf(group: Group, { state }: Intent): string | undefined {
  if (state === 'created' || state === 'processing') return isCollecting(group) ? 'assigned' : undefined;
  if (state === 'preauthorised' || state === 'capture_pending') return 'preauthorised';
  if (state === 'captured' || state === 'refund_pending') return 'captured';
  return state === 'refunded' ? 'refunded' : undefined;
}

function isAlive(intent: Intent | undefined, states: readonly string[]): boolean {
  return intent !== undefined && states.includes(intent.state);
}

function checkAmounts({ amountMinor, amountCapturedMinor, amountRefundedMinor }: Intent): void {
  must(amountCapturedMinor <= amountMinor, 'S2 no more than the hold is captured');
  must(amountRefundedMinor <= amountCapturedMinor, 'S2 no more than the capture is refunded');
}

/** S4: whatever the gateway holds is counted by the group, being released, or about to be heard of. */
function checkHold(world: World, truth: Truth): void {
  const { group } = world;
  const intent = group.intents.find(({ id }) => id === truth.intentId);
  const attempt = intent?.attempts.find(({ id }) => id === truth.attemptId);
  if (!intent || !attempt) throw new Broken('S4 the gateway knows no payment that the ledger does not');
  if (truth.status === 'captured') {
    checkCharge(world, intent, truth);
  } else if (truth.status === 'authorised') {
    const release = group.voids.find(({ attemptId }) => attemptId === truth.attemptId);
    const isReleasing =
      release?.state === 'started' || release?.state === 'waiting' || release?.state === 'unknown';
    must(
      isReleasing || isCounted(world, intent, truth) || isUnheard(world, truth, attempt.state),
      'S4 no hold is forgotten',
    );
  }
}

function isCounted({ group, timers }: World, intent: Intent, { attemptId }: Truth): boolean {
  if (intent.winningAttemptId !== attemptId) return false;
  if (intent.state === 'preauthorised') return isCollecting(group);
  if (intent.state === 'capture_pending') return true;
  return intent.state === 'capture_failed' && timers.some(({ key }) => key === `hold:${intent.id}`);
}

function isUnheard(
  { calls, outcomes, timers }: World,
  { attemptId, intentId }: Truth,
  state: string,
): boolean {
  if (state === 'voided' || state === 'cancelled' || state === 'authorised') return false;
  if (outcomes.some((each) => each.attemptId === attemptId && each.status === 'authorised')) return true;
  if (calls.some((each) => each.attemptId === attemptId)) return true;
  return timers.some(({ key }) => key === `query:${attemptId}` || key === `reservation:${intentId}`);
}

function checkCharge({ group, outcomes }: World, intent: Intent, { attemptId, refunds }: Truth): void {
  const capture = group.captures.find((each) => each.intentId === intent.id);
  must(capture?.attemptId === attemptId, 'S3 only the hold of a complete group is captured');
  const isKnown =
    capture?.state === 'captured' || capture?.state === 'started' || capture?.state === 'unknown';
  const isComing = outcomes.some((each) => each.attemptId === attemptId && each.status === 'captured');
  must(isKnown || isComing, 'S4 no charge is forgotten');
  if (refunds.length > 0) {
    const line = group.refundLines.find((each) => each.intentId === intent.id && each.state !== 'failed');
    must(line !== undefined, 'S4 no refund is forgotten');
  }
}

const resting = [
  'paid',
  'partially_paid',
  'expired',
  'cancelled',
  'capture_failed',
  'refunded',
  'partially_refunded',
  'refund_failed',
];

/** Whether everything is settled: nothing open in the ledger, and the gateway's books say the same. */
export function isSettled({ group, truths, calls }: World): boolean {
  if (!resting.includes(group.state) || calls.length > 0) return false;
  const orders = [...group.captures, ...group.voids, ...group.refundLines];
  if (orders.some(({ state }) => state === 'started' || state === 'waiting' || state === 'unknown'))
    return false;
  return truths.every((truth) => agrees(group, truth));
}

function agrees(group: Group, { intentId, attemptId, status, refunds }: Truth): boolean {
  const intent = group.intents.find(({ id }) => id === intentId);
  const attempt = intent?.attempts.find(({ id }) => id === attemptId);
  if (!intent || !attempt || attempt.state === 'started' || attempt.state === 'unknown') return false;
  if (status === 'authorised' || status === 'open') return false;
  const isCharged = status === 'captured' && refunds.length === 0;
  return isCharged === (intent.state === 'captured' && intent.winningAttemptId === attemptId);
}
