import {
  computeSlotsMinor,
  isChargeBooked,
  isCollecting,
  isWinner,
  type Authorization,
  type Group,
  type Intent,
} from '../../src/domain/index.ts';
import { Broken, checkGroup, must } from './promises.ts';
import { OUTSIDE, type Truth, type World } from './world.ts';

/** Checks everything the product promises about one state of the world. */
export function checkWorld(world: World): void {
  const { group } = world;
  checkGroup(group);
  const hasEnded = group.expiredAtMs !== null || group.cancelledAtMs !== null;
  const isOver = hasEnded && group.captures.length === 0;
  if (isOver) {
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
      const isOutside = truth.captures.every((id) => id === OUTSIDE);
      must(!isOver || isOutside, 'S3 nobody is charged after the end');
      const intent = group.intents.find(({ id }) => id === truth.intentId);
      const isCounted = !isOutside || (intent && isWinner(intent, truth.authorizationId));
      if (isCounted && intent) captured += computeSlotsMinor(intent);
    }
    checkHold(world, truth);
  }
  must(captured <= group.totalMinor, 'S2 no more than the total is captured for the slots');
}

/** S4: every amount that the gateway holds is counted by the group, being released, or about to be reported. */
function checkHold(world: World, truth: Truth): void {
  const { group } = world;
  const intent = group.intents.find(({ id }) => id === truth.intentId);
  const authorization = intent?.authorizations.find(({ id }) => id === truth.authorizationId);
  if (!intent || !authorization) throw new Broken('S4 the gateway knows no payment that the ledger does not');
  if (truth.status === 'captured' && truth.captures[0] === OUTSIDE) {
    checkExternal(world, intent, truth, authorization);
  } else if (truth.status === 'captured') {
    checkCharge(world, intent, truth);
  } else if (truth.status === 'authorised') {
    const release = group.voids.find(({ authorizationId }) => authorizationId === truth.authorizationId);
    const isReleasing =
      release?.state === 'started' || release?.state === 'waiting' || release?.state === 'unknown';
    must(
      isReleasing || isCounted(world, intent, truth) || isUnheard(world, truth, authorization.state),
      'S4 no hold is forgotten',
    );
  }
}

function isCounted({ group, timers }: World, intent: Intent, { authorizationId }: Truth): boolean {
  if (!isWinner(intent, authorizationId)) return false;
  if (intent.state === 'preauthorised') return isCollecting(group);
  if (intent.state === 'capture_pending') return true;
  return intent.state === 'capture_failed' && timers.some(({ key }) => key === `hold:${intent.id}`);
}

function isUnheard(
  { calls, outcomes, timers }: World,
  { authorizationId, intentId }: Truth,
  state: string,
): boolean {
  // Another hold after a capture that was taken back: the word of that ends the payment.
  if (outcomes.some((each) => each.authorizationId === authorizationId && each.status === 'reversed'))
    return true;
  if (state === 'voided' || state === 'cancelled' || state === 'authorised') return false;
  if (outcomes.some((each) => each.authorizationId === authorizationId && each.status === 'authorised'))
    return true;
  if (calls.some((each) => each.authorizationId === authorizationId)) return true;
  return timers.some(({ key }) => key === `query:${authorizationId}` || key === `reservation:${intentId}`);
}

/** C8, Q82: every amount that the merchant captured at the gateway is booked, or about to be reported. */
function checkExternal(world: World, intent: Intent, truth: Truth, authorization: Authorization): void {
  const { group, outcomes } = world;
  const { authorizationId, refunds } = truth;
  const isAbout = (each: { readonly authorizationId: string }) => each.authorizationId === authorizationId;
  const isBooked = isChargeBooked(intent, authorization);
  const isComing = outcomes.some((each) => isAbout(each) && each.status === 'captured');
  const willBeHeard = willBeFound(group, authorizationId) || isUnheard(world, truth, authorization.state);
  must(isBooked || isComing || willBeHeard, 'S4 no charge is forgotten');
  const owner = isWinner(intent, authorizationId) ? intent : authorization;
  const isGivenBack = owner.amountRefundedMinor > 0n;
  const isRefundComing = outcomes.some((each) => isAbout(each) && each.status === 'refunded');
  must(refunds.length === 0 || isGivenBack || isRefundComing, 'S4 no refund is forgotten');
}

function checkCharge({ group, outcomes }: World, intent: Intent, { authorizationId, refunds }: Truth): void {
  const capture = group.captures.find((each) => each.intentId === intent.id);
  must(capture?.authorizationId === authorizationId, 'S3 only the hold of a complete group is captured');
  const isKnown =
    capture?.state === 'captured' || capture?.state === 'started' || capture?.state === 'unknown';
  const isComing = outcomes.some(
    (each) => each.authorizationId === authorizationId && each.status === 'captured',
  );
  must(isKnown || isComing || willBeFound(group, authorizationId), 'S4 no charge is forgotten');
  if (refunds.length > 0) {
    const line = group.refundLines.find((each) => each.intentId === intent.id && each.state !== 'failed');
    must(line !== undefined, 'S4 no refund is forgotten');
  }
}

/**
 * Returns whether an operation that took effect after it was taken for undone will be found: the next try queries before
 * it is sent, and a release finds it.
 */
function willBeFound({ captures, voids }: Group, authorizationId: string): boolean {
  if (captures.some((each) => each.authorizationId === authorizationId && each.state === 'waiting'))
    return true;
  const release = voids.find((each) => each.authorizationId === authorizationId);
  return release?.state === 'started' || release?.state === 'waiting' || release?.state === 'unknown';
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

function agrees(group: Group, { intentId, authorizationId, status, refunds }: Truth): boolean {
  const intent = group.intents.find(({ id }) => id === intentId);
  const authorization = intent?.authorizations.find(({ id }) => id === authorizationId);
  if (!intent || !authorization || authorization.state === 'started' || authorization.state === 'unknown')
    return false;
  if (status === 'authorised' || status === 'open') return false;
  const isCharged = status === 'captured' && refunds.length === 0;
  const isCounted = intent.state === 'captured' && isWinner(intent, authorizationId);
  const isOutside = authorization.amountCapturedMinor > authorization.amountRefundedMinor;
  return isCharged === (isCounted || isOutside);
}
