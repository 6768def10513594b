import type { Mode } from '@gp/contracts';
import { findManifest } from '@gp/gateway-registry';
import type { Route } from '@gp/http';
import type { VirtualTime } from '../runtime/virtual-time.ts';
import type { Faults } from '../world/faults.ts';
import type { Process } from '../world/process.ts';
import { sign, type CallbackBody } from './gateway.ts';
import type { BookedPayment } from './payment.ts';
import type { News, RemoteGateway } from './remote-gateway.ts';

export type Endpoint = { readonly process: Process; readonly routes: readonly Route[] };

/** Pauses before a gateway sends a callback again that was not answered with 200, ms. */
const AGAIN_MS = [5_000, 60_000, 600_000, 3_600_000];

/** What an event about a hold or a capture says of it. */
function readStated(
  { amountMinor, capturedMinor, currency }: BookedPayment,
  type: string,
): CallbackBody['stated'] {
  if (type === 'payment.authorised') return { operation: 'authorise', amount: String(amountMinor), currency };
  return type === 'capture.succeeded'
    ? { operation: 'capture', amount: String(capturedMinor), currency }
    : null;
}

/** Sends the callbacks of a gateway to whichever process of its adapter listens. */
export class Callbacks {
  readonly #time: VirtualTime;
  readonly #faults: Faults;
  readonly #world: Process;
  /** The secrets of an account: merchants who share it may each have an endpoint of their own. */
  readonly #listSecrets: (account: string, mode: string) => readonly string[];
  readonly #endpoints: Endpoint[] = [];
  underWay = 0;

  constructor(o: {
    time: VirtualTime;
    faults: Faults;
    world: Process;
    listSecrets: (account: string, mode: string) => readonly string[];
  }) {
    this.#time = o.time;
    this.#faults = o.faults;
    this.#world = o.world;
    this.#listSecrets = o.listSecrets;
  }

  listen(endpoint: Endpoint): void {
    this.#endpoints.push(endpoint);
  }

  /** Sends an event to every endpoint of the account. */
  tell({ psp }: RemoteGateway, { payment, type, isDisputed }: News): void {
    const { account, mode, reference } = payment;
    const id = `evt_${this.#time.random.between(0, 0xffffffff).toString(16)}_${payment.effects.length}`;
    const attemptId = findManifest(psp).flow === 'redirect' ? null : payment.attemptId;
    const stated = readStated(payment, type);
    const body = { account, mode: mode as Mode, id, type, reference, attemptId, isDisputed, stated };
    for (const secret of this.#listSecrets(account, mode)) {
      if (this.#faults.happens('callbackLost')) continue;
      this.send(body, sign(secret, id), this.#wayMs());
      if (this.#faults.happens('callbackDoubled')) this.send(body, sign(secret, id), this.#wayMs());
    }
  }

  #wayMs(): number {
    const { random } = this.#time;
    return this.#faults.happens('callbackDelayed')
      ? random.between(1_000, 3_600_000)
      : random.between(20, 2_000);
  }

  /** Sends a body with a signature after a delay, and again until an endpoint accepts it. */
  send(body: CallbackBody, signature: string, delayMs: number, tries = 0): void {
    this.underWay += 1;
    this.#time.after(delayMs, this.#world, () => {
      const alive = this.#endpoints.filter(({ process }) => !process.isDead);
      const again = (): void => {
        this.underWay -= 1;
        const pauseMs = AGAIN_MS[tries];
        if (pauseMs !== undefined) this.send(body, signature, pauseMs, tries + 1);
      };
      if (alive.length === 0) return again();
      this.#deliver(this.#time.random.pick(alive), body, signature, again);
    });
  }

  #deliver({ process, routes }: Endpoint, body: CallbackBody, signature: string, again: () => void): void {
    let isOver = false;
    const end = (isAccepted: boolean): void => {
      if (isOver) return;
      isOver = true;
      if (isAccepted) this.underWay -= 1;
      else again();
    };
    this.#time.after(20_000, this.#world, () => end(false));
    this.#time.after(0, process, () => {
      const route = routes.find(({ method }) => method === 'POST');
      const request = { rawBody: Buffer.from(JSON.stringify(body)), headers: { signature } };
      void route?.handle(request as never).then(
        () => this.#time.after(0, this.#world, () => end(true)),
        (error: unknown) => {
          const isRefused = (error as { code?: string }).code === 'malformed_request';
          this.#time.after(0, this.#world, () => end(isRefused));
        },
      );
    });
  }

  /** A payer's browser comes back from the gateway's page. */
  return(attemptId: string): void {
    const alive = this.#endpoints.filter(({ process }) => !process.isDead);
    if (alive.length === 0) return;
    const { process, routes } = this.#time.random.pick(alive);
    const route = routes.find(({ method }) => method === 'GET');
    const request = { params: { attempt_id: attemptId }, query: new URLSearchParams() };
    this.#time.after(0, process, () => void route?.handle(request as never).catch(() => undefined));
  }
}
