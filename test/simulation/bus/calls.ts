import type { CallContext, CallOptions } from '@gp/bus';
import { AppError, fromWire, toWire } from '@gp/errors';
import type { VirtualTime } from '../runtime/virtual-time.ts';
import type { Faults } from '../world/faults.ts';
import type { Process } from '../world/process.ts';

type Handler = (request: unknown, context: CallContext) => Promise<unknown>;
type Server = { readonly process: Process; readonly handler: Handler };
type Contract = { readonly subject: string; readonly repeatable?: boolean };
type Answered = { readonly ok: unknown } | { readonly error: ReturnType<typeof toWire> };

const DEFAULT_TIMEOUT_MS = 5_000;
const RESTART_PATIENCE_MS = 2_000;
const ASK_AGAIN_MS = 2_000;

/** Requests and replies between processes, with the patience of the real bus: see Bus.call. */
export class Calls {
  readonly #time: VirtualTime;
  readonly #faults: Faults;
  readonly #servers = new Map<string, Server[]>();

  constructor(time: VirtualTime, faults: Faults) {
    this.#time = time;
    this.#faults = faults;
  }

  serve(process: Process, subject: string, handler: Handler): void {
    this.#servers.set(subject, [...(this.#servers.get(subject) ?? []), { process, handler }]);
  }

  leave(process: Process): void {
    for (const [subject, servers] of this.#servers)
      this.#servers.set(
        subject,
        servers.filter((server) => server.process !== process),
      );
  }

  async call(process: Process, contract: Contract, request: unknown, o: CallOptions = {}): Promise<unknown> {
    await process.step(0);
    const now = this.#time.nowMs + process.skewMs;
    const deadline = Math.min(
      o.deadline ?? Infinity,
      now + (o.timeoutMs ?? (o.deadline === undefined ? DEFAULT_TIMEOUT_MS : Infinity)),
    );
    const endsAt = deadline - process.skewMs;
    await this.#awaitServer(process, contract.subject, endsAt);
    return this.#ask(process, contract, JSON.stringify(request), { deadline, endsAt });
  }

  /** A callee that is being restarted is back soon. */
  async #awaitServer(process: Process, subject: string, endsAt: number): Promise<void> {
    const givesUpAt = Math.min(endsAt, this.#time.nowMs + RESTART_PATIENCE_MS);
    while ((this.#servers.get(subject) ?? []).length === 0) {
      if (this.#time.nowMs >= givesUpAt) throw new AppError('service_unavailable', { retryAfterSeconds: 1 });
      await process.step(this.#time.random.between(50, 200));
    }
  }

  #ask(
    process: Process,
    contract: Contract,
    body: string,
    at: { deadline: number; endsAt: number },
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const end = (settle: () => void): void => {
        if (isOver) return;
        isOver = true;
        settle();
      };
      const answer = (answered: Answered): void =>
        end(() => ('ok' in answered ? resolve(answered.ok) : reject(fromWire(answered.error))));
      this.#time.at(at.endsAt, process, () => end(() => reject(new AppError('deadline_exceeded'))));
      const send = (): void => {
        if (isOver || this.#time.nowMs >= at.endsAt) return;
        this.#send(process, contract.subject, body, { deadline: at.deadline, answer });
        if (contract.repeatable) this.#time.after(ASK_AGAIN_MS, process, send);
      };
      send();
    });
  }

  #send(
    caller: Process,
    subject: string,
    body: string,
    o: { deadline: number; answer: (a: Answered) => void },
  ): void {
    const servers = this.#servers.get(subject) ?? [];
    if (servers.length === 0 || this.#faults.happens('requestLost')) return;
    const { process, handler } = this.#time.random.pick(servers);
    this.#time.after(this.#time.random.between(0, 2), process, () => {
      if (o.deadline <= this.#time.nowMs + process.skewMs) return;
      const reply = (answered: Answered): void => {
        if (process.isDead || this.#faults.happens('replyLost')) return;
        const text = JSON.stringify(answered);
        this.#time.after(this.#time.random.between(0, 2), caller, () =>
          o.answer(JSON.parse(text) as Answered),
        );
      };
      handler(JSON.parse(body), { deadline: o.deadline }).then(
        (ok) => reply({ ok: ok ?? {} }),
        (error: unknown) => reply({ error: toWire(error) }),
      );
    });
  }
}
