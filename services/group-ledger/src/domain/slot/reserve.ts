import { askLater } from '../authorization/ask.ts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf, AccountVersion } from '../command.ts';
import { ignore, reject, rejectSlots, type Reply, type CommandResult } from '../decision.ts';
import { findIntent, findOpenVoid, findSlot, isCollecting, type Group } from '../group/group.ts';
import { invalid } from '../group/limits.ts';
import { refuseState } from '../group/refuse-state.ts';
import { findTipFault } from '../group/tips.ts';
import type { Intent, IntentIn } from '../intent/intent.ts';
import { isPreparedAtGateway } from '../gateway-facts.ts';
import { findNamingFault } from './named-slots.ts';
import { timerKey } from '../timers/timer-key.ts';
import type { Authorization } from '../authorization/authorization.ts';
import { failIntent, supersede } from '../intent/end-intent.ts';

type Reserve = CommandOf<'reserve'>;

/** Slots that may be taken, the payer that takes them and the account they will be paid on. */
type Reservation = {
  readonly customerId: string;
  readonly account: AccountVersion;
  readonly slotIds: readonly string[];
  readonly tipMinor: bigint;
  readonly shownName: string | null;
  readonly requesters: readonly string[] | null;
};

const TAKEN = { param: 'slot_ids', reason: 'is not free' };
const BEYOND_TOKEN = { param: 'slot_ids', reason: 'is not among the slots of this session token' };

/**
 * Takes slots for a payer: all that were named, or all that are free, or none. The payer's own unheld intent for
 * exactly these slots and this tip is answered again to the browser that opened it; another one of the payer's that
 * overlaps is replaced, because an e-mail address proves nothing (A11).
 */
export function reserve(draft: GroupDraft, command: Reserve): CommandResult {
  const { group, context } = draft;
  if (!isCollecting(group)) return refuseState(group);
  const { account, tipMinor = 0n, shownName = null } = command;
  if (!account) return reject('no_active_gateway');
  const named = command.slotIds;
  const isWithin = (id: string): boolean => command.withinSlotIds?.includes(id) ?? true;
  const fault = named && findNamingFault(group, named);
  if (fault) return { kind: 'rejected', ...fault };
  const beyond = named?.filter((id) => !isWithin(id)) ?? [];
  if (beyond.length > 0) return rejectSlots('invalid_slot_ids', beyond, BEYOND_TOKEN);

  const live = group.intents.filter(
    (intent) => isOwnUnheld(intent, command) && intent.slotIds.every(isWithin),
  );
  const free = group.slots.filter(({ id, state }) => state === 'unassigned' && isWithin(id));
  const last = live.at(-1);
  const wanted = named ?? (free.length === 0 && last ? last.slotIds : free.map(({ id }) => id));
  const same = live.findLast((intent) => hasSameSlots(intent, wanted) && intent.tipMinor === tipMinor);
  if (same && isOpenTo(same, command) && isReusable(group, same, account)) {
    // The payer may have changed his mind about the name since.
    const intent = same.shownName === shownName ? same : draft.patchIntent(same, { shownName });
    return ignore('same_intent', buildReply(draft.group, intent, true));
  }

  const taken = wanted.filter((id) => !isTakeable(group, id, live));
  if (taken.length > 0) return rejectSlots('no_payable_slots', taken, TAKEN);
  if (wanted.length === 0) return reject('no_payable_slots');
  const slotsMinor = sumSlots(group, wanted);
  const tipFault = findTipFault(group, { tipMinor, slotsMinor, pspCode: account.pspCode });
  if (tipFault) return invalid('tip', tipFault);
  if (context.isRevoked(account.pspCode, account.credentialVersion)) return reject('no_active_gateway');
  const intent = open(draft, { ...command, account, tipMinor, shownName, slotIds: wanted }, live);
  return { kind: 'reply', reply: buildReply(draft.group, intent, false) };
}

function open(draft: GroupDraft, wish: Reservation, live: readonly Intent[]): Intent {
  const { customerId, slotIds } = wish;
  const intent = newIntent(draft, wish);
  const replaced = live.filter((older) => older.slotIds.some((id) => slotIds.includes(id)));
  const reservedUntilMs = computeEnd(draft, wish, replaced);
  draft.add('intents', intent);
  for (const older of replaced) supersede(draft, older, intent.id);
  const owner = { assignedCustomerId: customerId, reservedUntilMs, intentId: intent.id };
  for (const slot of draft.group.slots) {
    if (slotIds.includes(slot.id)) draft.moveSlot(slot, 'reserve', owner);
  }
  draft.setTimer('reservation', timerKey.reservation(intent.id), reservedUntilMs, { intentId: intent.id });
  if (isPreparedAtGateway(intent.pspCode)) beginAtGateway(draft, intent);
  return draft.intent(intent);
}

// A replacement keeps the end of the reservation it replaces: otherwise a payer could keep slots for ever without paying.
function computeEnd(draft: GroupDraft, { account }: Reservation, replaced: readonly Intent[]): number {
  const { nowMs, policy } = draft.context;
  const ends = draft.group.slots
    .filter(({ intentId }) => replaced.some(({ id }) => id === intentId))
    .map(({ reservedUntilMs }) => reservedUntilMs ?? Infinity);
  return Math.min(nowMs + policy.reservationTtlMs[account.pspCode], ...ends);
}

function beginAtGateway(draft: GroupDraft, intent: Intent): void {
  const { newId, nowMs } = draft.context;
  const authorization = newAuthorization(newId(), nowMs);
  draft.patchIntent(intent, { authorizations: [authorization] });
  askLater(draft, intent, authorization, 0);
}

function newIntent(
  draft: GroupDraft,
  { customerId, account, slotIds, tipMinor, shownName, requesters }: Reservation,
): IntentIn<'created'> {
  const slots = draft.group.slots.filter(({ id }) => slotIds.includes(id));
  return {
    id: draft.context.newId(),
    customerId,
    ...account,
    amountMinor: sumSlots(draft.group, slotIds) + tipMinor,
    tipMinor,
    slotIds: slots.map(({ id }) => id),
    state: 'created',
    unknown: false,
    authorizations: [],
    declines: 0,
    renewals: 0,
    amountCapturedMinor: 0n,
    amountRefundedMinor: 0n,
    disputed: false,
    shownName,
    supersededBy: null,
    requesters: requesters ?? [],
    createdAtMs: draft.context.nowMs,
  };
}

function sumSlots({ slots }: Group, ids: readonly string[]): bigint {
  return slots.reduce((sum, { id, amountMinor }) => (ids.includes(id) ? sum + amountMinor : sum), 0n);
}

/** A first or further try to authorise, before the gateway is called. */
export function newAuthorization(id: string, startedAtMs: number, seq = 1): Authorization {
  return {
    id,
    seq,
    state: 'started',
    amountMinor: null,
    amountCapturedMinor: 0n,
    amountRefundedMinor: 0n,
    captureBeforeMs: null,
    pspReference: null,
    startedAtMs,
  };
}

function isOwnUnheld({ customerId, state }: Intent, command: Reserve): boolean {
  return customerId === command.customerId && (state === 'created' || state === 'processing');
}

// Client data of an intent, such as a client secret, is for the browser that opened it.
function isOpenTo(intent: Intent, { requesters }: Reserve): boolean {
  return requesters === null || requesters.some((name) => intent.requesters.includes(name));
}

function hasSameSlots(intent: Intent, ids: readonly string[]): boolean {
  return intent.slotIds.length === ids.length && ids.every((id) => intent.slotIds.includes(id));
}

// An intent of another account, or one that is being cancelled, cannot be finished by the payer: it is replaced.
function isReusable(group: Group, intent: Intent, account: AccountVersion): boolean {
  const isSameAccount =
    intent.pspCode === account.pspCode && intent.credentialVersion === account.credentialVersion;
  return isSameAccount && !intent.authorizations.some(({ id }) => findOpenVoid(group, id));
}

function isTakeable(group: Group, slotId: string, own: readonly Intent[]): boolean {
  const slot = findSlot(group, slotId);
  if (slot?.state === 'unassigned') return true;
  return slot?.state === 'assigned' && own.some(({ id }) => id === slot.intentId);
}

function buildReply(group: Group, intent: Intent, reused: boolean): Reply {
  const slot = group.slots.find(({ intentId }) => intentId === intent.id);
  const authorizationId = intent.authorizations.at(-1)?.id ?? null;
  return {
    kind: 'reserved',
    intent,
    authorizationId,
    reservedUntilMs: slot?.reservedUntilMs ?? intent.createdAtMs,
    reused,
  };
}

/** Gives the slots back because the gateway could not prepare the payment. */
export function release(draft: GroupDraft, command: CommandOf<'release'>): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  if (!intent) return reject('not_found');
  if (intent.state !== 'created') return ignore('intent_already_moved_on');
  const prepared = intent.authorizations.find(({ state }) => state === 'started');
  const ended = prepared ? draft.moveAuthorization(intent, prepared, 'miss') : intent;
  if (prepared) draft.cancelTimer(timerKey.query(prepared.id));
  failIntent(draft, ended, 'authorise', command.failure);
  draft.rederive();
  return undefined;
}
