import { pspCodes } from '@gp/gateway-registry';
import type { Bundle } from '../store/ledger-tables.ts';
import type { World } from '../world/world.ts';
import type { Contradictions } from './contradiction.ts';

const RESTING = new Set([
  ...[
    'paid',
    'partially_paid',
    'expired',
    'cancelled',
    'refunded',
    'partially_refunded',
    'refund_failed',
    'capture_failed',
  ],
]);
const IN_HAND = new Set(['started', 'waiting', 'unknown']);
const UNDECIDED = new Set(['started', 'unknown']);

/** Why a group is not at rest; undefined when it is. */
function findUnrest({ group, intents, attempts, orders }: Bundle): string | undefined {
  if (!RESTING.has(group.state)) return `the group is ${group.state}`;
  const order = orders.find(({ state }) => IN_HAND.has(state));
  if (order) return `its ${order.kind} is ${order.state}`;
  const attempt = attempts.find(({ state }) => UNDECIDED.has(state));
  if (attempt) return `an attempt is ${attempt.state}`;
  const keeper = intents.find(({ state }) => state === 'capture_failed');
  // The hold of a failed capture is kept until an operator gives up or its end is near (D5).
  const isKept = attempts.some((one) => one.intent_id === keeper?.id && one.state === 'authorised');
  if (isKept) return 'a hold is kept for another capture';
  return intents.some(({ unknown }) => unknown) ? 'a payment is unknown' : undefined;
}

/** Why the world is not at rest; undefined when nothing is left to do but the daily comparison of books. */
export function findWorldUnrest({
  ledger,
  scheduler,
  adapters,
  broker,
  callbacks,
}: World): string | undefined {
  for (const bundle of ledger.tables.groups.all()) {
    const unrest = findUnrest(bundle);
    if (unrest) return `group ${bundle.group.id}: ${unrest}`;
  }
  for (const psp of pspCodes) {
    const { callbacks: stored, orders, calls } = adapters[psp].tables;
    if (orders.size > 0) return `${psp} has orders to carry out`;
    if (calls.count('inHand', 'started') > 0) return `${psp} has a call in hand`;
    const named = [...stored.by('stored', 'stored')].find(({ attempt_id }) => attempt_id !== null);
    if (named && named.tries < 4) return `${psp} has a callback to apply`;
    if (callbacks[psp].underWay > 0) return `${psp} has a callback on its way`;
  }
  for (const { outbox } of [ledger.tables, scheduler.tables])
    if (outbox.count('unsent', 'unsent') > 0) return 'a message is not sent';
  return broker.isBusy ? 'a message is on its way' : undefined;
}

/** Judges a world that has come to rest, or did not. */
export function judgeRest(c: Contradictions, world: World): void {
  const { ledger, scheduler, adapters, journal, heard } = world;
  for (const bundle of ledger.tables.groups.all()) {
    const unrest = findUnrest(bundle);
    c.must(unrest === undefined, `stuck: ${unrest ?? ''}`, `group ${bundle.group.id}`);
    for (const { id, type } of bundle.events)
      c.must((heard.get(id) ?? 0) > 0, `S10 every event is delivered: ${type}`, `group ${bundle.group.id}`);
  }
  for (const { deadLetters } of [
    ledger.tables,
    scheduler.tables,
    ...pspCodes.map((psp) => adapters[psp].tables),
  ])
    for (const { consumer, messageId, reason } of deadLetters.all())
      c.must(false, `no message is given up: ${reason}`, `${consumer} ${messageId}`);
  for (const fault of journal.faults) c.must(false, 'the simulation itself works', fault);
}
