import type { EventNoun, Failure } from '@gp/contracts';
import { authorizationMachine, type AuthorizationTrigger } from '../authorization/authorization.machine.ts';
import type {
  Account,
  AlertCode,
  Context,
  GroupEffect,
  GatewayOperation,
  Posting,
  TimerKind,
  TransitionLog,
} from '../decision.ts';
import type {
  DomainEvent,
  FailureStage,
  GroupEvent,
  IntentEventData,
  PlainIntentEventType,
} from '../domain-event.ts';
import { derive, findings } from './derive.ts';
import { GroupRows, type Ref } from './group-rows.ts';
import { IllegalTransition } from './illegal-transition.ts';
import { findStateEvent, groupEventData, intentEventData } from './event.ts';
import { type Group, type Slot } from './group.ts';
import { groupMachine } from './group.machine.ts';
import { intentMachine, type IntentAfter, type IntentTrigger } from '../intent/intent.machine.ts';
import { slotMachine, type SlotTrigger } from '../slot/slot.machine.ts';
import { type Authorization, findAuthorization } from '../authorization/authorization.ts';
import {
  moveTo,
  type Intent,
  type IntentIn,
  type IntentPatch,
  type IntentParts,
  type MoveDetails,
} from '../intent/intent.ts';

/** Why a payment moved, for the log alone: the payment itself keeps no failure. */
type MoveReason = { readonly reason?: Failure };

/** A decision in the making: the group as it will be, and everything that goes with it. */
export class GroupDraft extends GroupRows {
  readonly context: Context;
  readonly events: DomainEvent[] = [];
  readonly effects: GroupEffect[] = [];
  readonly postings: Posting[] = [];
  readonly transitions: TransitionLog[] = [];

  constructor(before: Group, context: Context) {
    super(before);
    this.context = context;
  }

  /** Whether there is anything to write or send. */
  get isTouched(): boolean {
    return this.isPatched || this.effects.length > 0;
  }

  /** The group to store: an accepted decision always has a version of its own. */
  finish(): Group {
    if (this.draft.version === this.before.version) this.draft.version += 1;
    return this.draft;
  }

  moveSlot({ id }: Ref, trigger: SlotTrigger, patch: Partial<Slot> = {}): void {
    const slot = this.row('slots', id);
    const state = slotMachine.next(slot.state, trigger);
    if (!state) throw new IllegalTransition(slotMachine.name, slot.state, trigger);
    this.patch('slots', slot, { ...patch, state });
    this.#log('slot', id, slot.state, state, trigger);
  }

  /** Moves every slot of the intent that is still its own and for which the machine has that way. */
  moveIntentSlots(intent: Ref, trigger: SlotTrigger, patch: Partial<Slot> = {}): void {
    for (const slot of this.draft.slots) {
      if (slot.intentId === intent.id && slotMachine.next(slot.state, trigger))
        this.moveSlot(slot, trigger, patch);
    }
  }

  /** Moves the intent; an unknown outcome becomes known unless the move states otherwise. */
  moveIntent<T extends IntentTrigger>(
    intent: Ref,
    trigger: T,
    ...details: IntentPatch extends MoveDetails<T>
      ? [(MoveDetails<T> & MoveReason)?]
      : [MoveDetails<T> & MoveReason]
  ): IntentIn<IntentAfter<T>>;
  moveIntent(
    { id }: Ref,
    trigger: IntentTrigger,
    { reason, ...details }: Partial<Omit<IntentParts, 'id' | 'state'>> & MoveReason = {},
  ): Intent {
    const intent = this.row('intents', id);
    const state = intentMachine.next(intent.state, trigger);
    if (!state) throw new IllegalTransition(intentMachine.name, intent.state, trigger);
    const next = this.replace('intents', moveTo(intent, state, { unknown: false, ...details }));
    this.#log('intent', id, intent.state, state, trigger, details.failure ?? reason);
    return next;
  }

  patchAuthorization(intent: Ref, authorization: Ref, patch: Partial<Authorization>): Intent {
    const { authorizations } = this.row('intents', intent.id);
    const patched = authorizations.map((each) =>
      each.id === authorization.id ? { ...each, ...patch } : each,
    );
    return this.patchIntent(intent, { authorizations: patched });
  }

  moveAuthorization(
    intent: Ref,
    { id }: Ref,
    trigger: AuthorizationTrigger,
    patch: Partial<Authorization> = {},
  ): Intent {
    const authorization = findAuthorization(this.row('intents', intent.id), id);
    if (!authorization) throw new Error(`intent ${intent.id} has no authorization ${id}`);
    const state = authorizationMachine.next(authorization.state, trigger);
    if (!state) throw new IllegalTransition(authorizationMachine.name, authorization.state, trigger);
    const next = this.patchAuthorization(intent, authorization, { ...patch, state });
    this.#log('attempt', id, authorization.state, state, trigger);
    return next;
  }

  /** Derives the group's state anew and logs and announces what changed. */
  rederive(): void {
    const from = this.draft.state;
    const to = derive(this.draft);
    if (from === to) return;
    const trigger = findings[to as keyof typeof findings];
    if (groupMachine.next(from, trigger) !== to)
      throw new IllegalTransition(groupMachine.name, from, trigger);
    this.patchGroup({ state: to });
    this.#log('group', this.draft.id, from, to, trigger);
    const event = findStateEvent(to);
    if (event) this.#announceGroup(event);
  }

  announce(type: PlainIntentEventType, intentId: string): void {
    this.events.push({ ...this.#envelope('payment_intent'), type, data: this.#intentData(intentId) });
  }

  announceFailure(intentId: string, stage: FailureStage, failure: Failure): void {
    this.events.push({
      ...this.#envelope('payment_intent'),
      type: 'payment_intent.failed',
      data: { ...this.#intentData(intentId), failure: { stage, ...failure } },
    });
  }

  announceRefund(intentId: string, refundId: string): void {
    this.events.push({
      ...this.#envelope('payment_intent'),
      type: 'payment_intent.refunded',
      data: { ...this.#intentData(intentId), refundId },
    });
  }

  /** Books an amount from one account to another; belongs to the transition logged last. */
  post(from: Account, to: Account, amountMinor: bigint, intentId: string, authorizationId: string): void {
    if (amountMinor === 0n) return;
    const { newId } = this.context;
    const transitionId = this.transitions.at(-1)?.id ?? null;
    const entryId = newId();
    const leg = { entryId, intentId, authorizationId, transitionId };
    this.postings.push({ id: newId(), account: from, amountMinor: -amountMinor, ...leg });
    this.postings.push({ id: newId(), account: to, amountMinor, ...leg });
  }

  requestOperation(operation: Omit<GatewayOperation, 'kind'>): void {
    this.effects.push({ kind: 'operation', ...operation });
  }

  /** Sets or moves a timer; of several instructions for one key in a decision only the last is sent. */
  setTimer(
    timer: TimerKind,
    key: string,
    dueAtMs: number,
    data: { intentId?: string; authorizationId?: string; step?: number } = {},
  ): void {
    const { intentId = null, authorizationId = null, step = 0 } = data;
    this.#forget(key);
    this.effects.push({
      kind: 'timer.set',
      key,
      timer,
      dueAtMs,
      data: { intentId, attemptId: authorizationId, step },
    });
  }

  cancelTimer(key: string): void {
    this.#forget(key);
    this.effects.push({ kind: 'timer.cancel', key });
  }

  #forget(key: string): void {
    const at = this.effects.findIndex(
      (effect) => effect.kind.startsWith('timer') && 'key' in effect && effect.key === key,
    );
    if (at >= 0) this.effects.splice(at, 1);
  }

  alert(code: AlertCode, intentId: string | null): void {
    this.effects.push({ kind: 'alert', code, key: `${code}:${intentId ?? this.draft.id}`, intentId });
  }

  /** Announces that the name, metadata or expiry changed, in whatever state the group is. */
  announceUpdate(): void {
    this.#announceGroup('group_payment.updated');
  }

  #announceGroup(type: GroupEvent['type']): void {
    this.events.push({ ...this.#envelope('group_payment'), type, data: groupEventData(this.draft) });
  }

  #envelope<N extends EventNoun>(
    noun: N,
  ): Omit<DomainEvent, 'noun' | 'type' | 'data'> & { readonly noun: N } {
    this.patchGroup({ sequence: this.draft.sequence + 1 });
    const { sequence, version: groupVersion } = this.draft;
    return { id: this.context.newId(), noun, sequence, groupVersion, occurredAtMs: this.context.nowMs };
  }

  #intentData(intentId: string): IntentEventData {
    return intentEventData(this.draft, intentId, this.context.nowMs);
  }

  #log(
    entity: TransitionLog['entity'],
    entityId: string,
    from: string,
    to: string,
    trigger: string,
    failure?: Failure,
  ): void {
    this.patchGroup({ version: this.draft.version + 1 });
    this.transitions.push({
      id: this.context.newId(),
      entity,
      entityId,
      from,
      to,
      trigger,
      groupVersion: this.draft.version,
      decidedAtMs: this.context.nowMs,
      ...(failure && { failure }),
    });
  }
}
