import { setTimeout } from 'node:timers/promises';
import { AppError } from '@gp/errors';
import { aheadMs } from '@gp/test-clock';
import type { Adapter, AdapterCore } from '../adapter.ts';
import {
  acceptGatewayCall,
  findGatewayCall,
  insertGatewayCall,
  listPaymentCalls,
} from '../db/gateway-calls.ts';
import { isOpen, type GatewayCall, type NewGatewayCall } from '../domain/gateway-call.ts';
import { observeEffect } from '../domain/observed-effect.ts';
import { buildFailure } from '../domain/failure.ts';
import type { GatewayAccount, EffectOperation, Payment, Truth } from '../domain/payment.ts';
import { toGatewayPayment } from '../domain/gateway-payment.ts';
import {
  buildNoEffect,
  buildRefusal,
  buildResult,
  decideFromAnswer,
  decideFromEffect,
  recallResult,
  type CallResult,
} from '../domain/call-result.ts';
import { between } from '../fail-points.ts';
import { ask, locate } from './ask.ts';
import { conclude, sendAgain } from './conclude.ts';
import { awaitRow, toLeaseSeconds, withLease } from './with-lease.ts';

export type OperationRequest = NewGatewayCall & { readonly operation: EffectOperation };
type Row = GatewayCall & { readonly operation: EffectOperation };

/** Pauses before each query of an accepted operation, ms: most gateways need a few hundred. */
const LOOKS_MS = [150, 350, 500, 1_000];

/**
 * Executes one order of the ledger: capture, void or refund. Stores it, calls the gateway and reports; a
 * repeated order never repeats the effect. Every path ends with an outcome for the ledger.
 */
export function runOperation<C>(adapter: Adapter<C>): (order: OperationRequest) => Promise<void> {
  return async (order) => {
    const fresh = await between(adapter.psp, `${order.operation}-start`, () =>
      insertGatewayCall(adapter.db, order, toLeaseSeconds(adapter.settings.leaseMs)),
    );
    if (fresh) return carryOut(adapter, asRow(fresh), { isFresh: true });
    const known = await findGatewayCall(adapter.db, order);
    if (known?.operationId !== order.operationId)
      throw new AppError('conflict', { message: 'two orders share one seq' });
    const { row, isTaken } = await awaitRow(adapter, known);
    if (isTaken) return carryOut(adapter, asRow(row), { isFresh: false });
    await repeatOperation(adapter, asRow(row));
  };
}

/**
 * Finishes a row whose process died: an effect at the gateway counts, and an operation without one is sent
 * again.
 */
export function finishOperation<C>(adapter: Adapter<C>): (row: GatewayCall) => Promise<void> {
  return (row) => carryOut(adapter, asRow(row), { isFresh: false });
}

async function carryOut<C>(adapter: Adapter<C>, row: Row, { isFresh }: { isFresh: boolean }): Promise<void> {
  const at = await openOperationRun(adapter, row, isFresh);
  const work = async (): Promise<CallResult> => {
    // A first call that was never sent needs no query.
    const mayTrustSilence = isFresh && row.seq === 1;
    const mustAsk = !mayTrustSilence || row.unlessAuthorised || at.payment.pspReference === null;
    if (!mustAsk) return send(at, at.payment);
    const seen = await look(at);
    if ('verdict' in seen) return seen.verdict;
    const sent = await send(at, seen.undone);
    // A call of the dead process may have caused this refusal: only the settle window decides.
    return !isFresh && sent.status === 'retryable' ? undone(at) : sent;
  };
  await conclude(adapter, row, await withLease(adapter, row, work), 'response');
}

/**
 * A repeated order only queries, or sends the stored result again: the ledger repeats an order when it has no
 * result, and then the message with the result was lost (F9).
 */
async function repeatOperation<C>(adapter: Adapter<C>, row: Row): Promise<void> {
  if (row.state !== 'unknown') return repeatResult(adapter, row);
  const at = await openOperationRun(adapter, row, false);
  const seen = await look(at);
  await conclude(adapter, row, 'verdict' in seen ? seen.verdict : undone(at), 'query');
}

/**
 * Sends the result of a row with a definite answer to the ledger again, which ignores it when it is known. The refusal of
 * a void depends on the payment's present state, so the gateway is queried for that.
 */
export async function repeatResult<C>(adapter: Adapter<C>, call: GatewayCall): Promise<void> {
  const row = asRow(call);
  const stored = recallResult(row);
  if (stored) return sendAgain(adapter, row, stored);
  const seen = await look(await openOperationRun(adapter, row, false));
  const verdict = 'verdict' in seen ? seen.verdict : buildNoEffect(row.operation);
  if (verdict.status !== 'unknown') await sendAgain(adapter, row, verdict);
}

/**
 * Returns the result of a sent operation whose effect is not visible. A capture or a void happens at most once,
 * so another try may follow at once. Two refunds are two refunds: until the settle window has passed the first
 * may still appear (R4), and one that the gateway accepted may appear even later.
 */
function undone<C>({ adapter, row }: OperationRun<C>): CallResult {
  const isInDoubt = row.acceptedAt !== null || (row.operation === 'refund' && mayYetAppear(adapter, row));
  return isInDoubt ? buildResult('unknown', 'doubt') : buildNoEffect(row.operation);
}

/** Whether what was sent for a call may still become visible at the gateway, which did not say that it accepted it. */
function mayYetAppear<C>({ clock, settings }: Adapter<C>, { leasedUntil }: GatewayCall): boolean {
  return clock.now().getTime() < leasedUntil.getTime() + settings.settleWindowMs;
}

/** Everything needed to work on one row. */
type OperationRun<C> = {
  adapter: Adapter<C>;
  row: Row;
  payment: Payment;
  account: GatewayAccount<C>;
  /** No process before us can have sent this row. */
  isFresh: boolean;
};

async function openOperationRun<C>(
  adapter: Adapter<C>,
  row: Row,
  isFresh: boolean,
): Promise<OperationRun<C>> {
  const { merchantId, mode, credentialVersion: version } = row;
  const account = await adapter.accounts.get({ merchantId, mode, version });
  return { adapter, row, account, isFresh, payment: await locate(adapter, toGatewayPayment(row)) };
}

/** Calls the gateway, unless the order's deadline has passed. */
async function send<C>(at: OperationRun<C>, payment: Payment): Promise<CallResult> {
  const { adapter, row, account } = at;
  if (await isTooLate(adapter, row))
    return buildResult('failed', 'decline', { failure: buildFailure('capture_window_closed') });
  const answer = await adapter.calls.effect(row.operation, payment, account, row.idempotencyKey);
  switch (answer.kind) {
    case 'accepted':
      await acceptGatewayCall(adapter.db, row.id);
      return watch(at);
    case 'conflict': {
      // The payment's state does not allow it: the truth shows whether it is done, impossible, or only not yet
      // possible.
      const seen = await look(at);
      if ('verdict' in seen) return seen.verdict;
      return conflicting(at);
    }
    default:
      return decideFromAnswer(row.operation, answer);
  }
}

/** The order's deadline is in the merchant's time, which a test clock may have put ahead. */
async function isTooLate({ clock, db }: AdapterCore, row: Row): Promise<boolean> {
  if (row.notAfter === null) return false;
  return clock.now().getTime() + (await aheadMs(db, row)) >= row.notAfter.getTime();
}

/**
 * Returns the result of a conflict with a payment whose state should allow the operation. The gateway may be
 * busy with another try of it: an accepted one still has a result to come. A refund is refused for good when no
 * other try may yet have an effect, this one by a dead process included. A try without an effect counts until its
 * settle window has passed: while a dispute is open, a gateway refuses every further one (Q81).
 */
async function conflicting<C>({ adapter, row, isFresh }: OperationRun<C>): Promise<CallResult> {
  const inDoubt = (await listPaymentCalls(adapter.db, row.attemptId)).filter(
    ({ id, operation, state }) =>
      operation === row.operation && id !== row.id && state !== 'declined' && state !== 'succeeded',
  );
  if (inDoubt.some(({ acceptedAt }) => acceptedAt !== null)) return buildResult('unknown', 'doubt');
  const mayHaveEffect = inDoubt.some((other) => isOpen(other) || mayYetAppear(adapter, other));
  const isRefused = row.operation === 'refund' && isFresh && !mayHaveEffect;
  return isRefused ? buildRefusal(row.operation) : buildNoEffect(row.operation);
}

/** Waits a moment for the result of an accepted operation; a callback may settle the row first. */
async function watch<C>(at: OperationRun<C>): Promise<CallResult> {
  const { db, clock, settings } = at.adapter;
  const until = clock.now().getTime() + settings.acceptedWaitMs;
  for (const pauseMs of LOOKS_MS) {
    await setTimeout(pauseMs);
    const current = await findGatewayCall(db, at.row);
    if (current?.state !== 'started') break;
    const seen = await look(at);
    if ('verdict' in seen && seen.verdict.status !== 'unknown') return seen.verdict;
    if (clock.now().getTime() >= until) break;
  }
  return buildResult('unknown', 'doubt');
}

/** Finds the effect of the operation at the gateway; `undone`: none, with the payment to send it for. */
async function look<C>({
  adapter,
  row,
  payment,
  account,
}: OperationRun<C>): Promise<{ verdict: CallResult } | { undone: Payment }> {
  const asked = await ask(adapter, payment, account);
  switch (asked.kind) {
    case 'found': {
      const { pspReference } = asked.truth;
      if (row.unlessAuthorised && asked.truth.status === 'authorised')
        return { verdict: buildSparedResult(asked.truth) };
      const effect = observeEffect(row.operation, asked.truth, row);
      return effect.is === 'absent'
        ? { undone: { ...payment, pspReference } }
        : { verdict: { ...decideFromEffect(row.operation, effect), pspReference } };
    }
    case 'absent':
      return { verdict: buildAbsentResult(row) };
    case 'unknown':
    case 'retryable':
      return { verdict: buildResult('unknown', 'doubt') };
  }
}

function buildSparedResult({ pspReference, amountMinor, currency, captureBefore }: Truth): CallResult {
  return buildResult('spared', 'decline', { pspReference, amountMinor, currency, captureBefore });
}

/** The gateway has no such payment: a void is then done, and a capture or refund can never succeed. */
function buildAbsentResult({ operation }: Row): CallResult {
  const more = { failure: buildFailure('authorisation_absent') };
  if (operation === 'void') return buildResult('absent', 'approve', more);
  return buildResult(operation === 'capture' ? 'lapsed' : 'failed', 'decline', more);
}

function asRow(row: GatewayCall): Row {
  const { operation } = row;
  if (operation === 'prepare' || operation === 'authorise') throw new Error(`${operation} is no order`);
  return { ...row, operation };
}
