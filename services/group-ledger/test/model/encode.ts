import {
  authorizationMachine,
  findHold,
  groupMachine,
  intentMachine,
  slotMachine,
  type Group,
} from '../../src/domain/index.ts';
import {
  latestExpiryMs,
  merchantExpiryMs,
  statuses,
  type Call,
  type Outcome,
  type Truth,
  type World,
} from './world.ts';

const { min } = Math;
const index = (words: readonly string[]) => new Map(words.map((word, at) => [word, at + 1]));
const groupStates = index(groupMachine.statuses);
const slotStates = index(slotMachine.statuses);
const intentStates = index(intentMachine.statuses);
const authorizationStates = index(authorizationMachine.statuses);
const truthStates = index(['none', 'open', 'authorised', 'declined', 'ended', 'captured']);
const orderStates = index([
  'started',
  'waiting',
  'unknown',
  'captured',
  'failed',
  'stopped',
  'confirmed',
  'withdrawn',
  'lapsed',
  'refused',
  'refunded',
  'reversed',
]);
const operations = index(['authorise', 'capture', 'void', 'refund']);
const outcomeStatuses = index(statuses);
const timerKinds = index([
  'group_expiry',
  'reservation',
  'authorisation_query',
  'hold_lapse',
  'capture_retry',
  'void_retry',
  'refund_retry',
]);

/** The words of a state's identity; ids and instants that no guard compares are left out. */
const words = new Int32Array(256);
let length = 0;
let sorted: number[] = [];

/**
 * Writes the fields that distinguish this state from others into a shared buffer; returns the buffer and the length used.
 */
export function encode(world: World): { readonly words: Int32Array; readonly length: number } {
  const { group } = world;
  length = 0;
  words[length++] =
    (world.externals << 24) |
    (world.reversals << 20) |
    (world.faults << 16) |
    (world.repeats << 12) |
    (world.clock << 8) |
    world.announced;
  words[length++] =
    (expiryNumber(group) << 12) |
    (group.expiredAtMs === null ? 0 : 1 << 8) |
    (groupStates.get(group.state)! << 4) |
    (group.captureStoppedAtMs === null ? 0 : 8) |
    group.refundNumber;
  for (const slot of group.slots) {
    words[length++] = (slotStates.get(slot.state)! << 4) | intentNumber(group, slot.intentId);
  }
  for (const intent of group.intents) encodeIntent(world, intent);
  encodeSorted(world.calls, (call) => callWord(group, call));
  encodeSorted(world.outcomes, (outcome) => outcomeWord(group, outcome));
  encodeSorted(
    world.timers,
    ({ timer, intentId, authorizationId }) =>
      (timerKinds.get(timer)! << 8) |
      (intentNumber(group, intentId) << 4) |
      authorizationNumber(group, intentId, authorizationId),
  );
  return { words, length };
}

/** Whether the group was extended, by its organiser or further by the merchant. */
function expiryNumber({ expiresAtMs }: Group): number {
  return (expiresAtMs >= latestExpiryMs ? 1 : 0) + (expiresAtMs >= merchantExpiryMs ? 1 : 0);
}

function encodeIntent({ group, truths }: World, intent: Group['intents'][number]): void {
  const winnerId = findHold(intent)?.authorizationId;
  let slotBits = 0;
  for (const id of intent.slotIds) slotBits |= 1 << group.slots.findIndex((slot) => slot.id === id);
  words[length++] =
    (intent.shownName === null ? 0 : 1 << 29) |
    (intent.tipMinor > 0n ? 1 << 28 : 0) |
    (intentStates.get(intent.state)! << 24) |
    ((intent.unknown ? 1 : 0) << 23) |
    ((intent.customerId === 'bob' ? 1 : 0) << 22) |
    ((intent.pspCode === 'gateway_a' ? 1 : 0) << 21) |
    ((intent.supersededBy ? 1 : 0) << 20) |
    (slotBits << 16) |
    (intent.declines << 12) |
    (intent.renewals << 10) |
    ((intent.amountCapturedMinor > 0n ? 1 : 0) << 9) |
    ((intent.amountRefundedMinor > 0n ? 1 : 0) << 8) |
    (intent.authorizations.findIndex(({ id }) => id === winnerId) + 1);
  for (const authorization of intent.authorizations) {
    const truth = truths.find(({ authorizationId }) => authorizationId === authorization.id);
    const order = group.voids.find(({ authorizationId }) => authorizationId === authorization.id);
    words[length++] =
      (authorizationStates.get(authorization.state)! << 24) |
      (authorization.amountCapturedMinor > 0n ? 1 << 29 : 0) |
      (authorization.amountRefundedMinor > 0n ? 1 << 28 : 0) |
      (truth ? truthWord(truth) << 8 : 0) |
      (order
        ? (orderStates.get(order.state)! << 3) | (order.unlessAuthorised ? 4 : 0) | min(order.seq, 2)
        : 0);
  }
  const capture = group.captures.find(({ intentId }) => intentId === intent.id);
  if (capture) words[length++] = (orderStates.get(capture.state)! << 3) | min(capture.seq, 2);
  for (const line of group.refundLines) {
    if (line.intentId !== intent.id) continue;
    const truth = truths.find(({ authorizationId }) => authorizationId === line.authorizationId);
    const isEffected = truth?.refunds.includes(line.operationId) ? 1 : 0;
    words[length++] = (orderStates.get(line.state)! << 4) | (line.refundNumber << 1) | isEffected;
  }
  words[length++] = -1;
}

function truthWord({ status, captureBeforeMs, captures, refunds }: Truth): number {
  return (
    (truthStates.get(status)! << 6) |
    (captureBeforeMs === 0 ? 0 : captureBeforeMs < 10_000 ? 16 : captureBeforeMs < 90_000 ? 32 : 48) |
    (captures.length << 2) |
    refunds.length
  );
}

function callWord(group: Group, call: Call): number {
  return (
    (operations.get(call.operation)! << 20) |
    (intentNumber(group, call.intentId) << 16) |
    (authorizationNumber(group, call.intentId, call.authorizationId) << 12) |
    (min(call.seq, 2) << 8) |
    ((call.unlessAuthorised ? 1 : 0) << 4) |
    ((call.isRetried ? 1 : 0) << 3) |
    // Deadlines are instants of holds; only an order that must not be sent any more differs.
    ((call.notAfterMs < 5_000 ? 1 : 0) << 2) |
    (isCurrent(group, call) ? 1 : 0)
  );
}

function outcomeWord(group: Group, outcome: Outcome): number {
  return (
    (operations.get(outcome.operation)! << 20) |
    (intentNumber(group, outcome.intentId) << 16) |
    (authorizationNumber(group, outcome.intentId, outcome.authorizationId) << 12) |
    (outcomeStatuses.get(outcome.status)! << 4) |
    ((outcome.isRepeat ? 1 : 0) << 1) |
    (isCurrent(group, outcome) ? 1 : 0)
  );
}

/** Whether the group still waits for exactly this try. */
function isCurrent(group: Group, { operation, operationId }: Call | Outcome): boolean {
  if (operation === 'authorise') return true;
  const orders =
    operation === 'capture' ? group.captures : operation === 'void' ? group.voids : group.refundLines;
  for (const order of orders) if (order.operationId === operationId) return true;
  return false;
}

function encodeSorted<T>(items: readonly T[], encodeWord: (item: T) => number): void {
  sorted = [];
  for (const item of items) {
    const word = encodeWord(item);
    // Insertion keeps the few words sorted: the order in which messages were sent does not matter.
    let at = sorted.length;
    while (at > 0 && sorted[at - 1]! > word) at -= 1;
    sorted.splice(at, 0, word);
  }
  for (const word of sorted) words[length++] = word;
  words[length++] = -2;
}

function intentNumber(group: Group, intentId: string | null): number {
  if (intentId === null) return 0;
  for (let at = 0; at < group.intents.length; at += 1) if (group.intents[at]!.id === intentId) return at + 1;
  return 0;
}

function authorizationNumber(group: Group, intentId: string | null, authorizationId: string | null): number {
  if (authorizationId === null) return 0;
  const intent = group.intents[intentNumber(group, intentId) - 1];
  return intent ? intent.authorizations.findIndex(({ id }) => id === authorizationId) + 1 : 0;
}
