import type { Logger } from '@gp/telemetry';
import { toConduct, faultText, type Conduct, type Fault } from '../domain/fault.ts';
import type { CallOperation } from '../domain/payment.ts';
import type { Answer, Books, BooksTransaction, IdempotentCall, Subject } from './ports.ts';

/** The responses that a gateway gives on its own account, in its own format. */
export type Dialect = {
  rateLimited(): Answer;
  broken(): Answer;
  keyInUse(): Answer;
  keyReused(): Answer;
  /** Returns whether a first answer is repeated for the same idempotency key. */
  keeps(answer: Answer): boolean;
  readonly replayHeaders: Readonly<Record<string, string>>;
};

export type Call = {
  readonly operation: CallOperation;
  readonly subject: Subject;
  readonly idempotent: IdempotentCall | undefined;
  readonly dialect: Dialect;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
};

export type PlayEffect = (tx: BooksTransaction, conduct: Conduct) => Promise<Answer>;

/** The response on the wire: an answer, the same answer damaged, or a connection cut without a response. */
export type Reply =
  { readonly kind: 'answer' | 'damaged'; readonly answer: Answer } | { readonly kind: 'hang_up' };

export type PlayCall = (call: Call, effect: PlayEffect) => Promise<Reply>;

export type PlayCallDeps = {
  readonly books: Books;
  readonly log: Logger;
  readonly clock: () => Date;
  /** Resolves after the time, or earlier when the signal aborts or the service stops. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** Longer than the timeout of every client, so that the client gives up first; bounded all the same. */
const SILENCE_MS = 120_000;

const HANG_UP: Reply = { kind: 'hang_up' };

/**
 * Plays one call the way a gateway does: latency and the drawn fault around an effect that is committed together
 * with its record, its callbacks and the answer kept for its idempotency key. The effect runs at most once per
 * kept key, also across a crash. Rejects only when the books are unavailable.
 */
export function playCall({ books, log, clock, pause }: PlayCallDeps): PlayCall {
  return async (call, effect) => {
    const { fault, latencyMs } = await books.drawConduct(call.operation, call.subject);
    if (latencyMs > 0) await pause(latencyMs, call.signal);
    const early = await beforeEffect(call, fault);
    if (early !== undefined) return early;
    const claim = call.idempotent ? await books.claimKey(call.idempotent) : { kind: 'fresh' as const };
    if (claim.kind === 'in_use') return note(call, fault, call.dialect.keyInUse());
    if (claim.kind === 'reused') return note(call, fault, call.dialect.keyReused());
    if (claim.kind === 'replay') return afterEffect(fault, await replay(call, fault, claim.answer));
    return carryOut(call, fault, effect);
  };

  /** Plays faults that leave everything as it was. */
  async function beforeEffect(call: Call, fault: Fault | undefined): Promise<Reply | undefined> {
    switch (fault?.kind) {
      case 'drop_request':
        await record(call, fault, 'lost');
        return HANG_UP;
      case 'timeout':
        await record(call, fault, 'unanswered');
        await pause(SILENCE_MS, call.signal);
        return HANG_UP;
      case 'rate_limit':
        return note(call, fault, call.dialect.rateLimited());
      default:
        return undefined;
    }
  }

  async function carryOut(call: Call, fault: Fault | undefined, effect: PlayEffect): Promise<Reply> {
    try {
      if (fault?.kind === 'delay') await pause(fault.delayMs);
      const isBroken = fault?.kind === 'http_500';
      const answer = await commit(call, fault, isBroken ? async () => call.dialect.broken() : effect);
      const reply = afterEffect(fault, answer);
      if (fault?.kind === 'timeout_after_effect') await pause(SILENCE_MS, call.signal);
      return reply;
    } catch (e) {
      // A call that is over must not keep its key claimed; when even this fails, the next run of the service frees
      // it.
      if (call.idempotent) await books.releaseKey(call.idempotent).catch(() => undefined);
      throw e;
    }
  }

  async function commit(call: Call, fault: Fault | undefined, effect: PlayEffect): Promise<Answer> {
    const done = await books.transaction(async (tx) => {
      const truth = await effect(tx, toConduct(fault));
      const answer = fault?.kind === 'http_500_after_effect' ? call.dialect.broken() : truth;
      const pspReference = truth.pspReference ?? call.subject.pspReference;
      if (pspReference !== undefined)
        await tx.recordCall(buildRecord(call, fault, truth.outcome, pspReference));
      const isKept = call.idempotent && !truth.isRefusedUnseen && call.dialect.keeps(answer);
      if (call.idempotent && isKept) await tx.keepAnswer(call.idempotent, answer);
      return { answer, isKept };
    });
    if (call.idempotent && !done.isKept) await books.releaseKey(call.idempotent);
    return done.answer;
  }

  async function replay(call: Call, fault: Fault | undefined, answer: Answer): Promise<Answer> {
    await record(call, fault, 'replayed', answer.pspReference);
    return { ...answer, headers: { ...answer.headers, ...call.dialect.replayHeaders } };
  }

  async function note(call: Call, fault: Fault | undefined, answer: Answer): Promise<Reply> {
    await record(call, fault, answer.outcome);
    return { kind: 'answer', answer };
  }

  async function record(
    call: Call,
    fault: Fault | undefined,
    outcome: string,
    known?: string,
  ): Promise<void> {
    const pspReference = known ?? call.subject.pspReference;
    if (pspReference !== undefined) await books.recordCall(buildRecord(call, fault, outcome, pspReference));
  }

  /** Logs one line about a call and returns its record for the books, as the gateway saw it. */
  function buildRecord(call: Call, fault: Fault | undefined, outcome: string, pspReference: string) {
    const { operation, subject } = call;
    const played = fault ? faultText(fault) : null;
    const line = {
      psp_code: subject.gateway,
      psp_reference: pspReference,
      operation,
      outcome,
      fault: played,
    };
    log.info(line, `${subject.gateway} ${operation}: ${outcome}`);
    return { pspReference, operation, outcome, fault: played, at: clock() };
  }
}

/** Plays faults that damage the answer to an action that was done. */
function afterEffect(fault: Fault | undefined, answer: Answer): Reply {
  if (fault?.kind === 'drop_response' || fault?.kind === 'timeout_after_effect') return HANG_UP;
  return { kind: fault?.kind === 'malformed' ? 'damaged' : 'answer', answer };
}
