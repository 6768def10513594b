import { planRetry, type ConsumeOptions, type InboundMessage, type OutboundMessage } from '@gp/bus';
import { isGatewayOperation, outcomeRecorded } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { VirtualTime } from '../runtime/virtual-time.ts';
import type { Faults } from '../world/faults.ts';
import type { Process } from '../world/process.ts';

const DUPLICATE_WINDOW_MS = 120_000;
const ACK_WAIT_MS = 30_000;

type Stored = OutboundMessage & { readonly era: number };
type Delivery = { readonly message: Stored; readonly count: number };
type Member = {
  readonly process: Process;
  readonly options: ConsumeOptions;
  readonly inHand: Set<Delivery>;
  readonly chains: Map<string, Promise<void>>;
  readonly failures: Map<string, number>;
};

/** A durable consumer: it outlives the processes that share it. */
type Durable = {
  readonly filters: readonly RegExp[];
  members: Member[];
  readonly queue: Delivery[];
  readonly lost: Set<string>;
};

/** The streams: stores messages, drops ids it has seen within two minutes, delivers to durable consumers at least once. */
export class Broker {
  readonly #time: VirtualTime;
  readonly #faults: Faults;
  readonly #world: Process;
  readonly #durables = new Map<string, Durable>();
  readonly #seen = new Map<string, number>();
  /** Grows when the streams lose everything: older messages are gone. */
  #era = 0;
  #underWay = 0;

  constructor(time: VirtualTime, faults: Faults, world: Process) {
    this.#time = time;
    this.#faults = faults;
    this.#world = world;
  }

  /** Tells streams that were created anew from those before. */
  get streams(): string {
    return `created ${this.#era}`;
  }

  /** Whether a message waits, is under way or in hand. */
  get isBusy(): boolean {
    if (this.#underWay > 0) return true;
    return [...this.#durables.values()].some(
      ({ queue, members }) => queue.length > 0 || members.some(({ inHand }) => inHand.size > 0),
    );
  }

  async publish(process: Process, message: OutboundMessage): Promise<void> {
    await process.step(this.#faults.databaseDelayMs());
    if (this.#faults.happens('publishFails'))
      throw new AppError('service_unavailable', { retryAfterSeconds: 1 });
    this.#store(message);
    await process.step(0);
    if (this.#faults.happens('publishAckLost'))
      throw new AppError('service_unavailable', { retryAfterSeconds: 1 });
  }

  #store(message: OutboundMessage): void {
    const seenAt = this.#seen.get(message.id);
    if (seenAt !== undefined && this.#time.nowMs - seenAt < DUPLICATE_WINDOW_MS) return;
    this.#seen.set(message.id, this.#time.nowMs);
    const stored = { ...message, era: this.#era };
    for (const durable of this.#durables.values()) {
      if (!durable.filters.some((filter) => filter.test(message.subject))) continue;
      if (this.#loses(durable, message)) continue;
      this.#send(durable, { message: stored, count: 1 }, this.#faults.wayMs());
      if (this.#faults.happens('messageDoubled'))
        this.#send(durable, { message: stored, count: 2 }, this.#faults.wayMs());
    }
  }

  /**
   * The bus loses a message for a consumer, once: as long as the streams are the same it is published a second time,
   * not a third (F9). Orders and the answers to them may be lost any number of times, because the ledger repeats an order
   * until it has its answer.
   */
  #loses({ lost }: Durable, message: OutboundMessage): boolean {
    if (lost.has(message.id) && !isRepeatedForEver(message)) return false;
    if (!this.#faults.happens('messageLost')) return false;
    lost.add(message.id);
    return true;
  }

  /** The streams lose every message, and what they know of ids. */
  forget(): void {
    this.#era += 1;
    this.#seen.clear();
    for (const { queue } of this.#durables.values()) queue.length = 0;
  }

  consume(process: Process, options: ConsumeOptions): void {
    const durable = this.#durables.get(options.durable) ?? {
      filters: options.filters.map(toPattern),
      members: [],
      queue: [],
      lost: new Set(),
    };
    this.#durables.set(options.durable, durable);
    const maps = { inHand: new Set<Delivery>(), chains: new Map(), failures: new Map() };
    durable.members.push({ process, options, ...maps });
    this.#hand(durable);
  }

  /** Messages that a dead process had in hand are delivered again to another one. */
  leave(process: Process): void {
    for (const durable of this.#durables.values()) {
      const gone = durable.members.filter((member) => member.process === process);
      durable.members = durable.members.filter((member) => member.process !== process);
      for (const { inHand, options } of gone)
        for (const delivery of inHand) this.#again(durable, delivery, options.ackWaitMs ?? ACK_WAIT_MS);
    }
  }

  #send(durable: Durable, delivery: Delivery, delayMs: number): void {
    this.#underWay += 1;
    this.#time.after(delayMs, this.#world, () => {
      this.#underWay -= 1;
      if (delivery.message.era !== this.#era) return;
      durable.queue.push(delivery);
      this.#hand(durable);
    });
  }

  #again(durable: Durable, { message, count }: Delivery, delayMs: number): void {
    this.#send(durable, { message, count: count + 1 }, delayMs);
  }

  #hand(durable: Durable): void {
    while (durable.queue.length > 0) {
      const free = durable.members.filter(
        ({ inHand, options, process }) => !process.isDead && inHand.size < options.maxInFlight,
      );
      if (free.length === 0) return;
      const member = this.#time.random.pick(free);
      const delivery = durable.queue.shift() as Delivery;
      member.inHand.add(delivery);
      member.process.resume(() => void this.#handle(durable, member, delivery));
    }
  }

  async #handle(durable: Durable, member: Member, delivery: Delivery): Promise<void> {
    const { message } = delivery;
    const inbound: InboundMessage = {
      id: message.id,
      subject: message.subject,
      payload: JSON.parse(JSON.stringify(message.payload)) as unknown,
      ...(message.mode && { mode: message.mode }),
      deliveryCount: delivery.count,
      working: () => undefined,
    };
    const key = member.options.toOrderingKey?.(inbound);
    const work = (): Promise<void> => this.#settle(durable, member, delivery, inbound);
    if (key === undefined) await work();
    else {
      const turn = (member.chains.get(key) ?? Promise.resolve()).then(work);
      member.chains.set(key, turn);
      await turn;
      if (member.chains.get(key) === turn) member.chains.delete(key);
    }
    member.inHand.delete(delivery);
    this.#hand(durable);
  }

  async #settle(
    durable: Durable,
    member: Member,
    delivery: Delivery,
    inbound: InboundMessage,
  ): Promise<void> {
    const { process, options, failures } = member;
    const failure = await this.#try(process, () => options.handler(inbound));
    if (failure === undefined) {
      if (this.#faults.happens('ackLost')) this.#again(durable, delivery, options.ackWaitMs ?? ACK_WAIT_MS);
      return;
    }
    const tries = (failures.get(inbound.id) ?? 0) + 1;
    failures.set(inbound.id, tries);
    const pauseMs = planRetry(tries, failure);
    if (pauseMs) return this.#again(durable, delivery, this.#time.random.between(...pauseMs));
    const { working: _none, ...facts } = inbound;
    const dead = { ...facts, consumer: options.durable, stream: options.stream, reason: describe(failure) };
    const unwritten = await this.#try(process, () => options.onDead(dead));
    if (unwritten !== undefined) this.#again(durable, delivery, 1_000);
  }

  /** Runs work, again and again while what it needs is away; returns another failure. */
  async #try(process: Process, work: () => Promise<void>): Promise<unknown> {
    for (;;) {
      try {
        await work();
        return undefined;
      } catch (error) {
        const isAway = error instanceof AppError && error.code === 'service_unavailable';
        if (!isAway) return error ?? new Error('unknown');
        await process.step(this.#time.random.between(100, 1_000));
      }
    }
  }
}

const describe = (failure: unknown): string =>
  failure instanceof Error ? `${failure.name}: ${failure.message}` : 'an unknown failure';

function isRepeatedForEver({ subject, payload }: OutboundMessage): boolean {
  const { operation, operation_id } = payload as {
    readonly operation?: string;
    readonly operation_id?: string | null;
  };
  const isAnswer = subject === outcomeRecorded.subject && operation !== 'authorise' && operation_id != null;
  return isAnswer || isGatewayOperation(subject);
}

/** A subject filter of NATS: `*` is one word. */
function toPattern(filter: string): RegExp {
  return new RegExp(`^${filter.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`);
}
