import type { PspCode } from '@gp/gateway-registry';
import { expect } from '@jest/globals';
import {
  createGroup,
  decide,
  defaultPolicy,
  derive,
  type CaptureMinimum,
  type Command,
  type CommandOf,
  type Context,
  type AcceptedDecision,
  type GroupDecision,
  type DomainEvent,
  type GroupEffect,
  type GatewayOperation,
  type Group,
  type Intent,
  type NewGroup,
  type Organiser,
  type Posting,
  type TransitionLog,
} from '../src/domain/index.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
export const duration = { minute, hour, day } as const;

/** Midnight of nowhere: every scenario starts here. */
export const start = Date.UTC(2030, 0, 1);

/**
 * A group in a test: every method is one thing that happens to it, at the scenario's own time. It keeps all events,
 * effects, postings and transitions, so that a test can check them.
 */
export class Scenario {
  group: Group;
  nowMs = start;
  last: GroupDecision;
  readonly events: DomainEvent[] = [];
  readonly effects: GroupEffect[] = [];
  readonly postings: Posting[] = [];
  readonly transitions: TransitionLog[] = [];
  readonly revoked = new Set<string>();
  #ids = 0;
  #jitter = 1;

  constructor(
    given: {
      slots?: readonly bigint[];
      expiresInMs?: number;
      organiser?: Organiser;
      captureMinimum?: CaptureMinimum;
      maxTipMinor?: bigint;
    } = {},
  ) {
    const amountsMinor = given.slots ?? [1_000n, 1_000n];
    const command: NewGroup = {
      id: 'group',
      merchantId: 'merchant',
      mode: 'test',
      currency: 'EUR',
      totalMinor: amountsMinor.reduce((sum, amount) => sum + amount, 0n),
      expiresAtMs: start + (given.expiresInMs ?? day),
      distribution: { type: 'custom', amountsMinor },
      organiser: given.organiser ?? null,
      captureMinimum: given.captureMinimum ?? null,
      maxTipMinor: given.maxTipMinor ?? null,
    };
    const created = createGroup(command, this.context);
    if (created.kind !== 'accepted') throw new Error(`a bad group: ${JSON.stringify(created)}`);
    this.group = created.next;
    this.last = created;
    this.#keep(created);
  }

  get context(): Context {
    return {
      nowMs: this.nowMs,
      newId: () => `id-${(this.#ids += 1)}`,
      policy: defaultPolicy,
      jitter: (delayMs) => delayMs * this.#jitter,
      isRevoked: (pspCode, version) => this.revoked.has(`${pspCode}/${version}`),
    };
  }

  /** Does the command and applies what was decided. */
  does(command: Command): GroupDecision {
    this.last = decide(this.group, command, this.context);
    if (this.last.kind === 'accepted') this.#keep(this.last);
    expect(this.group.state).toBe(derive(this.group));
    return this.last;
  }

  /** Does a command that must be accepted. */
  accepts(command: Command): AcceptedDecision {
    const decision = this.does(command);
    if (decision.kind !== 'accepted' || decision.refusal)
      throw new Error(`not accepted: ${JSON.stringify(decision)}`);
    return decision;
  }

  /** Makes every delay longer or shorter by this factor. */
  spreads(factor: number): this {
    this.#jitter = factor;
    return this;
  }

  passes(ms: number): this {
    this.nowMs += ms;
    return this;
  }

  /** A payer takes slots (1-based; none: all that are free); returns the intent's id. */
  reserves(
    customerId: string,
    slots?: readonly number[],
    pspCode: PspCode = 'gateway_b',
    tipMinor = 0n,
  ): string {
    const decision = this.does(this.reservation(customerId, slots, pspCode, tipMinor));
    const reply = 'reply' in decision ? decision.reply : undefined;
    if (reply?.kind !== 'reserved') throw new Error(`not reserved: ${JSON.stringify(decision)}`);
    return reply.intent.id;
  }

  reservation(
    customerId: string,
    slots?: readonly number[],
    pspCode: PspCode = 'gateway_b',
    tipMinor = 0n,
  ): Command {
    const slotIds = slots ? slots.map((number) => this.slotId(number)) : null;
    const account = { pspCode, credentialVersion: 1 };
    return { type: 'reserve', customerId, slotIds, tipMinor, requesters: null, account };
  }

  /** A payer takes slots and shows a name; returns the intent's id. */
  reservesAs(shownName: string | null, slots: readonly number[], customerId = 'ann'): string {
    const reservation = this.reservation(customerId, slots) as CommandOf<'reserve'>;
    const decision = this.does({ ...reservation, shownName });
    const reply = 'reply' in decision ? decision.reply : undefined;
    if (reply?.kind !== 'reserved') throw new Error(`not reserved: ${JSON.stringify(decision)}`);
    return reply.intent.id;
  }

  /** The server calls the gateway with the card; returns the attempt's id. */
  begins(intentId: string): string {
    const reply = this.accepts({ type: 'beginAuthorisation', intentId }).reply;
    if (reply?.kind !== 'authorisation' || !reply.authorizationId) throw new Error('not begun');
    return reply.authorizationId;
  }

  /** The gateway holds the intent's amount, on its newest authorization unless stated otherwise. */
  authorises(
    intentId: string,
    authorizationId = this.newestAuthorizationId(intentId),
    amountMinor?: bigint,
  ): GroupDecision {
    return this.does({
      type: 'recordAuthorisation',
      intentId,
      authorizationId,
      result: {
        status: 'authorised',
        amountMinor: amountMinor ?? this.intent(intentId).amountMinor,
        captureBeforeMs: this.nowMs + 7 * day,
        pspReference: `psp-${authorizationId}`,
      },
    });
  }

  declines(intentId: string, authorizationId = this.newestAuthorizationId(intentId)): GroupDecision {
    const failure = { code: 'card_declined', message: 'the card was declined', retryable: true };
    return this.does({
      type: 'recordAuthorisation',
      intentId,
      authorizationId,
      result: { status: 'declined', failure },
    });
  }

  authorisationIs(status: 'unknown' | 'absent' | 'lapsed', intentId: string): GroupDecision {
    const authorizationId = this.newestAuthorizationId(intentId);
    return this.does({ type: 'recordAuthorisation', intentId, authorizationId, result: { status } });
  }

  /** Reserves, begins and authorises at once. */
  holds(customerId: string, slots?: readonly number[], tipMinor = 0n): string {
    const intentId = this.reserves(customerId, slots, 'gateway_b', tipMinor);
    this.begins(intentId);
    this.authorises(intentId);
    return intentId;
  }

  captureIs(
    result: Extract<Command, { type: 'recordCapture' }>['result'],
    intentId: string,
    operationId = this.lastOperation('capture', intentId).operationId,
  ): GroupDecision {
    const { authorizationId } = this.lastOperation('capture', intentId);
    return this.does({ type: 'recordCapture', intentId, authorizationId, operationId, result });
  }

  captures(intentId: string, amountMinor = this.intent(intentId).amountMinor): GroupDecision {
    return this.captureIs({ status: 'captured', amountMinor }, intentId);
  }

  captureFails(intentId: string): GroupDecision {
    const failure = { code: 'card_error', message: 'the capture was refused', retryable: false };
    return this.captureIs({ status: 'failed', failure }, intentId);
  }

  voidIs(
    result: Extract<Command, { type: 'recordVoid' }>['result'],
    intentId: string,
    operation = this.lastOperation('void', intentId),
  ): GroupDecision {
    const { authorizationId, operationId } = operation;
    return this.does({ type: 'recordVoid', intentId, authorizationId, operationId, result });
  }

  opensRefund(slots?: readonly number[], refundId = `refund-${this.group.refundNumber + 1}`): GroupDecision {
    const slotIds = slots ? slots.map((number) => this.slotId(number)) : null;
    return this.does({ type: 'openRefund', refundId, source: 'api', slotIds });
  }

  refundIs(
    result: Extract<Command, { type: 'recordRefund' }>['result'],
    intentId: string,
    operation = this.lastOperation('refund', intentId),
  ): GroupDecision {
    const { authorizationId, operationId } = operation;
    return this.does({ type: 'recordRefund', intentId, authorizationId, operationId, result });
  }

  refunds(intentId: string): GroupDecision {
    const { amountMinor } = this.lastOperation('refund', intentId);
    return this.refundIs({ status: 'refunded', amountMinor }, intentId);
  }

  refundFails(intentId: string): GroupDecision {
    const failure = { code: 'gateway_error', message: 'the refund was refused', retryable: false };
    return this.refundIs({ status: 'failed', failure }, intentId);
  }

  /** A group whose slots are held by one payer each and captured; returns the intents. */
  isPaid(): readonly string[] {
    const intentIds = this.group.slots.map(({ sequenceNo }) =>
      this.holds(`payer-${sequenceNo}`, [sequenceNo]),
    );
    for (const intentId of intentIds) this.captures(intentId);
    expect(this.group.state).toBe('paid');
    return intentIds;
  }

  slotId(number: number): string {
    const slot = this.group.slots[number - 1];
    if (!slot) throw new Error(`no slot ${number}`);
    return slot.id;
  }

  intent(id: string): Intent {
    const intent = this.group.intents.find((each) => each.id === id);
    if (!intent) throw new Error(`no intent ${id}`);
    return intent;
  }

  newestAuthorizationId(intentId: string): string {
    const authorization = this.intent(intentId).authorizations.at(-1);
    if (!authorization) throw new Error(`intent ${intentId} has no authorization`);
    return authorization.id;
  }

  get slotStates(): readonly string[] {
    return this.group.slots.map(({ state }) => state);
  }

  get eventTypes(): readonly string[] {
    return this.events.map(({ type }) => type);
  }

  operations(operation: GatewayOperation['operation'], intentId?: string): readonly GatewayOperation[] {
    return this.effects.filter(
      (effect): effect is GatewayOperation =>
        effect.kind === 'operation' &&
        effect.operation === operation &&
        (intentId === undefined || effect.intentId === intentId),
    );
  }

  lastOperation(operation: GatewayOperation['operation'], intentId: string): GatewayOperation {
    const found = this.operations(operation, intentId).at(-1);
    if (!found) throw new Error(`nobody ordered to ${operation} ${intentId}`);
    return found;
  }

  /** When the timer of that key is due; undefined when it was cancelled or never set. */
  timer(key: string): number | undefined {
    const last = this.effects.findLast((effect) => effect.kind !== 'operation' && effect.key === key);
    return last?.kind === 'timer.set' ? last.dueAtMs : undefined;
  }

  get alerts(): readonly string[] {
    return this.effects.filter((effect) => effect.kind === 'alert').map(({ code }) => code);
  }

  /** The group's states in the order they were logged. */
  get history(): readonly string[] {
    return this.transitions.filter(({ entity }) => entity === 'group').map(({ to }) => to);
  }

  balance(account: Posting['account']): bigint {
    return this.postings
      .filter((posting) => posting.account === account)
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  }

  #keep({ next, events, effects, postings, transitions }: AcceptedDecision): void {
    this.group = next;
    this.events.push(...events);
    this.effects.push(...effects);
    this.postings.push(...postings);
    this.transitions.push(...transitions);
  }
}
