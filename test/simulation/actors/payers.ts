import * as contracts from '@gp/contracts';
import { AppError } from '@gp/errors';
import { findManifest, isPspCode } from '@gp/gateway-registry';
import { beginConfirmation } from '../../../services/checkout/src/app/begin-confirmation.ts';
import { startPayment } from '../../../services/checkout/src/app/start-payment.ts';
import type { Gateways, Ledger } from '../../../services/checkout/src/app/ports.ts';
import { connectBus } from '../bus/bus.ts';
import type { World } from '../world/world.ts';
import { digest } from './digest.ts';

/** Whom a group belongs to. */
type Merchant = { readonly id: string; readonly world: World };

export type PayableGroup = {
  readonly id: string;
  readonly mode: contracts.Mode;
  readonly slotIds: readonly string[];
  readonly endsAtMs: number;
  /** Whether payments may add up to 5.00 to their slots. */
  readonly takesTips: boolean;
};

/** How long the edge waits for a payment to begin, ms. */
const PATIENCE_MS = 25_000;

/** Lets payers come to a group: enough of them in most worlds, and some who want what another one has. */
export function letPayersCome(merchant: Merchant, group: PayableGroup): void {
  const { time, plan, people, journal } = merchant.world;
  const { random } = time;
  const payers = group.slotIds.length + random.between(0, 2);
  for (let number = 0; number < payers; number++) {
    const at = random.between(0, Math.min(plan.payersComeMs / 2, group.endsAtMs - time.nowMs));
    const slotId = group.slotIds[number % group.slotIds.length];
    const payer = new Payer(
      merchant,
      group,
      `p${number}@example.com`,
      random.chance(0.9) && slotId ? [slotId] : undefined,
    );
    time.after(at, people, () => {
      payer.pay().catch((error: unknown) => {
        journal.faults.push(`a payer: ${error instanceof Error ? (error.stack ?? '') : String(error)}`);
      });
    });
  }
}

class Payer {
  readonly #world: World;
  readonly #scope: { readonly merchant_id: string; readonly mode: contracts.Mode };
  readonly #group: PayableGroup;
  readonly #email: string;
  readonly #slotIds: readonly string[] | undefined;
  readonly #start: ReturnType<typeof startPayment>;
  readonly #begin: ReturnType<typeof beginConfirmation>;

  constructor(
    merchant: Merchant,
    group: PayableGroup,
    email: string,
    slotIds: readonly string[] | undefined,
  ) {
    this.#world = merchant.world;
    this.#scope = { merchant_id: merchant.id, mode: group.mode };
    this.#group = group;
    this.#email = email;
    this.#slotIds = slotIds;
    const ledger = buildLedger(this.#bus);
    const limits = (): Promise<object> => Promise.resolve({});
    this.#start = startPayment({
      ledger,
      gateways: buildGateways(this.#bus),
      limits,
      buildPageUrl: () => 'https://page',
    });
    this.#begin = beginConfirmation({
      ledger,
      waitMs: 5_000,
      readReturnAddress: (_owner, address) => Promise.resolve(address),
    });
  }

  get #bus() {
    const { people, broker, calls } = this.#world;
    return connectBus(people, broker, calls);
  }

  get #nowMs(): number {
    return this.#world.time.nowMs;
  }

  /** Tries to pay, a few times, until the payment is on its way or the payer gives up. */
  async pay(): Promise<void> {
    const { random } = this.#world.time;
    const tries = random.between(1, 5);
    let key = 0;
    for (let count = 0; count < tries; count++) {
      const started = await this.#startPayment(key).catch(noAnswer);
      if (started === 'over') return;
      if (started && (await this.#finish(started))) return;
      // After no answer the same key, after a decline a new one.
      if (started) key += 1;
      await this.#think(1_000, 240_000);
    }
  }

  async #startPayment(key: number) {
    const { id } = this.#group;
    const identity = digest(`${id} ${this.#email} ${key}`);
    return this.#start(
      {
        ...this.#scope,
        ...{ command_id: identity, fingerprint: digest(identity), principal: 'secret', group_id: id },
        customer_email: this.#email,
        ...(this.#slotIds && { slot_ids: [...this.#slotIds] }),
        // Some payers never add a tip, and one who tries again may have thought better of it.
        ...(this.#group.takesTips && key < 2 && this.#slotIds && { tip: key === 0 ? '5.00' : '0.37' }),
      },
      { deadline: this.#nowMs + PATIENCE_MS },
    );
  }

  /** Returns whether nothing is left to do for the payer. */
  async #finish(payment: Awaited<ReturnType<ReturnType<typeof startPayment>>>): Promise<boolean> {
    const { random } = this.#world.time;
    if (random.chance(0.08)) return true;
    const { psp_code: psp, payment_intent_id } = payment;
    const { flow } = findManifest(psp);
    if (flow === 'server_confirm') return this.#confirm(psp, payment_intent_id);
    const tables = this.#world.adapters[psp].tables;
    const call = [...tables.calls.all()].find(
      ({ intent_id, operation }) => intent_id === payment_intent_id && operation === 'prepare',
    );
    if (!call) return false;
    await this.#think(2_000, flow === 'redirect' ? 2_000_000 : 600_000);
    return flow === 'embedded' ? this.#payInBrowser(psp, call) : this.#payAtBank(psp, call);
  }

  async #confirm(psp: contracts.PspCode, intentId: string): Promise<boolean> {
    const by = { deadline: this.#nowMs + PATIENCE_MS };
    try {
      const begun = await this.#begin(
        {
          ...this.#scope,
          principal: 'secret',
          group_id: this.#group.id,
          payment_intent_id: intentId,
        },
        by,
      );
      if (begun.status === 'held') return true;
      const contract = contracts.confirmIntent(psp);
      await this.#bus.call(contract, { ticket: begun.ticket, card: {} as never }, by);
      return true;
    } catch (error) {
      return (await noAnswer(error)) === 'over';
    }
  }

  async #payInBrowser(psp: contracts.PspCode, call: Prepared): Promise<boolean> {
    const gateway = this.#world.gateways[psp];
    const payment = gateway.books.payments.find(({ attemptId }) => attemptId === call.attempt_id);
    const { random } = this.#world.time;
    // Without the reply the payer's browser has no secret.
    if (!payment || call.psp_reference === null) return false;
    for (let tries = random.between(1, 3); tries > 0; tries--) {
      if (random.chance(0.2)) {
        gateway.decide(payment, 'challenge');
        await this.#think(5_000, 900_000);
      }
      gateway.decide(payment, random.chance(0.75) ? 'approve' : 'decline');
      if (payment.status === 'authorised') return true;
      await this.#think(2_000, 60_000);
    }
    return true;
  }

  async #payAtBank(psp: contracts.PspCode, call: Prepared): Promise<boolean> {
    const { gateways, callbacks, time } = this.#world;
    const bank = gateways[psp];
    const reference = call.psp_reference;
    if (reference === null) return false;
    const connection = this.#world.plan.merchants
      .find(({ id }) => id === call.merchant_id)
      ?.connections.find((one) => one.psp === psp && one.mode === call.mode);
    if (!connection) return false;
    const { amount_minor: amountMinor, currency, mode } = call;
    const order = { account: connection.account, mode, attemptId: null, amountMinor, currency, reference };
    const payment = bank.open(order);
    if (time.random.chance(0.3)) bank.decide(payment, 'challenge');
    await this.#think(1_000, 300_000);
    bank.decide(payment, time.random.chance(0.8) ? 'approve' : 'decline');
    if (time.random.chance(0.6)) callbacks[psp].return(call.attempt_id);
    return payment.status === 'authorised';
  }

  #think(leastMs: number, mostMs: number): Promise<void> {
    const { time, people } = this.#world;
    const span = time.random.chance(0.1) ? mostMs : Math.min(mostMs, leastMs * 10);
    return time.pause(time.random.between(leastMs, Math.max(leastMs, span)), people);
  }
}

type Prepared = {
  readonly attempt_id: string;
  readonly psp_reference: string | null;
  readonly merchant_id: string;
  readonly mode: string;
  readonly amount_minor: bigint;
  readonly currency: string;
};

const OVER = new Set([
  'group_expired',
  'group_not_payable',
  'no_payable_slots',
  'not_found',
  'no_active_gateway',
]);

/** Says whether trying again makes sense after this error; throws what is no error of the platform. */
async function noAnswer(error: unknown): Promise<'over' | undefined> {
  if (!(error instanceof AppError)) throw error;
  return OVER.has(error.code) ? 'over' : undefined;
}

function buildLedger(bus: ReturnType<typeof connectBus>): Ledger {
  const notUsed = (): never => {
    throw new Error('payers do not ask this');
  };
  return {
    reserve: (request, by) => bus.call(contracts.reserveSlots, request, by),
    release: (request) => bus.call(contracts.releaseIntent, request, { timeoutMs: 3_000 }),
    beginAuthorisation: (request, by) => bus.call(contracts.beginAuthorisation, request, by),
    ...{ findGroup: notUsed, findGroupByPageToken: notUsed, rollPageToken: notUsed },
    ...{ findIntent: notUsed, hideName: notUsed },
  };
}

function buildGateways(bus: ReturnType<typeof connectBus>): Gateways {
  return {
    async prepare(psp, request, by) {
      if (!isPspCode(psp)) throw new AppError('no_active_gateway');
      return bus.call(contracts.prepareIntent(psp), request, by);
    },
  };
}
