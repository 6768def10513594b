import type { Random } from '../runtime/random.ts';

/** How often each fault happens in one world: probabilities, and for delays the longest ones in ms. */
export type Troubles = {
  readonly databaseDelay: number;
  readonly statementLost: number;
  readonly commitAnswerLost: number;
  readonly processDies: number;
  readonly requestLost: number;
  readonly replyLost: number;
  readonly publishFails: number;
  readonly publishAckLost: number;
  readonly messageLost: number;
  readonly messageDoubled: number;
  readonly messageDelayed: number;
  readonly ackLost: number;
  readonly gatewayRequestLost: number;
  readonly gatewayAnswerLost: number;
  readonly gatewayLate: number;
  readonly gatewayBusy: number;
  readonly gatewayWrong: number;
  readonly callbackLost: number;
  readonly callbackDoubled: number;
  readonly callbackDelayed: number;
};

/** Draws the troubles of a world: each kind is absent in some worlds and heavy in others. */
export function drawTroubles(random: Random): Troubles {
  const draw = (most: number): number => (random.chance(0.35) ? 0 : most * random.next() ** 2);
  return {
    databaseDelay: 0.02 + draw(0.5),
    statementLost: draw(0.02),
    commitAnswerLost: draw(0.02),
    processDies: draw(0.003),
    requestLost: draw(0.03),
    replyLost: draw(0.03),
    publishFails: draw(0.05),
    publishAckLost: draw(0.05),
    messageLost: draw(0.05),
    messageDoubled: draw(0.1),
    messageDelayed: draw(0.3),
    ackLost: draw(0.05),
    gatewayRequestLost: draw(0.08),
    gatewayAnswerLost: draw(0.15),
    gatewayLate: draw(0.08),
    gatewayBusy: draw(0.1),
    gatewayWrong: draw(0.05),
    callbackLost: draw(0.4),
    callbackDoubled: draw(0.3),
    callbackDelayed: draw(0.5),
  };
}

/** The faults of a running world, which end when the world is healed; counted by kind. */
export class Faults {
  isHealed = false;
  readonly counts = new Map<string, number>();
  readonly troubles: Troubles;
  readonly #random: Random;

  constructor(random: Random, troubles: Troubles) {
    this.#random = random;
    this.troubles = troubles;
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Returns whether this kind of fault happens now. */
  happens(kind: keyof Troubles): boolean {
    const probability = this.troubles[kind];
    if (this.isHealed || probability === 0 || this.#random.next() >= probability) return false;
    this.note(kind);
    return true;
  }

  note(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  databaseDelayMs(): number {
    if (this.#random.next() >= this.troubles.databaseDelay) return 0;
    return this.#random.chance(0.02) ? this.#random.between(100, 3_000) : this.#random.between(1, 20);
  }

  /** The way of a message or request, ms. */
  wayMs(): number {
    return this.happens('messageDelayed') ? this.#random.between(20, 20_000) : this.#random.between(0, 3);
  }

  losesStatement(): boolean {
    return this.happens('statementLost');
  }

  losesCommitAnswer(): boolean {
    return this.happens('commitAnswerLost');
  }
}
