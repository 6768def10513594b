import { recordOutcome, type Outcome, type ResponseOf } from '@gp/contracts';
import type { Card } from '@gp/gateway-registry';
import type { Bus } from '@gp/bus';
import { AppError, isErrorCode } from '@gp/errors';
import { currentTraceparent } from '@gp/telemetry';
import type { Adapter, AdapterCore } from '../adapter.ts';
import { insertGatewayCall, listPaymentCalls } from '../db/gateway-calls.ts';
import { buildFailure } from '../domain/failure.ts';
import type { Answer, Payment } from '../domain/payment.ts';
import { findNewest, type GatewayCall } from '../domain/gateway-call.ts';
import { buildResult, decideFromAnswer, type CallResult } from '../domain/call-result.ts';
import { between } from '../fail-points.ts';

import { conclude } from './conclude.ts';
import { toRefusalError, toUnavailableError } from './prepare-payment.ts';
import { buildOutcome } from './report.ts';
import { toLeaseSeconds, withLease } from './with-lease.ts';

export type Confirmation = {
  readonly payment: Payment;
  readonly seq: number;
  readonly credentialVersion: number;
  readonly card: Card;
  /** epoch ms */
  readonly deadline: number;
};

type LedgerVerdict = ResponseOf<typeof recordOutcome>;

/** The part of the caller's deadline that is kept for recording the result and for the ledger's reply. */
const RESERVE_MS = 2_000;
/** The longest wait of a payer, whatever the caller's deadline. */
const LONGEST_MS = 20_000;

const HELD: readonly LedgerVerdict['intent']['state'][] = ['preauthorised', 'capture_pending', 'captured'];

/**
 * Authorises with the payer's card and returns once the ledger has accepted the hold. The card goes to the
 * gateway and nowhere else, once: a try whose answer is lost is queried, never sent again.
 */
export function confirmPayment<C>(adapter: Adapter<C>, bus: Bus): (c: Confirmation) => Promise<void> {
  return async (c) => {
    const { merchantId, mode } = c.payment;
    const account = await adapter.accounts.get({ merchantId, mode, version: c.credentialVersion });
    const deadline = Math.min(c.deadline, Date.now() + LONGEST_MS);
    const ledger = { bus, deadline, psp: adapter.psp };
    const row = await writeAhead(adapter, c);
    if (!row) return reportEarlierTry(adapter, c.payment, ledger);
    const answer = await withLease(adapter, row, () =>
      adapter.calls.authorise(c.payment, c.card, account, {
        idempotencyKey: row.idempotencyKey,
        deadline: deadline - RESERVE_MS,
      }),
    );
    const known = decideAuthorisation(answer);
    // Undefined: a callback was faster and has sent the ledger its result; sending it again is harmless.
    const concluded = await conclude(adapter, row, known, 'response');
    const outcome = concluded ?? (await rebuildOutcome(adapter, row, known));
    if (known.status === 'absent') throw toUnavailableError(answer.kind === 'retryable' ? answer : {});
    await settleWithLedger(outcome, ledger);
  };
}

/** Returns undefined when this try began before: its card has been sent, or never will be. */
function writeAhead<C>(adapter: Adapter<C>, c: Confirmation): Promise<GatewayCall | undefined> {
  return between(adapter.psp, 'authorise-start', () =>
    insertGatewayCall(
      adapter.db,
      {
        ...c.payment,
        currency: c.payment.currency.code,
        operation: 'authorise',
        seq: c.seq,
        operationId: c.payment.attemptId,
        credentialVersion: c.credentialVersion,
        traceparent: currentTraceparent() ?? null,
        notAfter: null,
        unlessAuthorised: false,
        returnUrl: null,
      },
      toLeaseSeconds(adapter.settings.leaseMs),
    ),
  );
}

/** Decides the result of an authorisation; the two answers that are invalid here may still hide a hold. */
function decideAuthorisation(answer: Answer): CallResult {
  switch (answer.kind) {
    case 'accepted':
    case 'conflict':
      return buildResult('unknown', 'doubt');
    default:
      return decideFromAnswer('authorise', answer);
  }
}

/** Reports a try that began before in its present state; it is never sent again. */
async function reportEarlierTry<C>(
  adapter: Adapter<C>,
  { attemptId }: Payment,
  ledger: LedgerOperation,
): Promise<void> {
  const rows = await listPaymentCalls(adapter.db, attemptId);
  const row = findNewest(rows, 'authorise');
  switch (row?.state) {
    case 'succeeded': {
      const { pspReference, resultMinor } = row;
      const known = buildResult('authorised', null, {
        pspReference,
        amountMinor: resultMinor ?? row.amountMinor,
      });
      return settleWithLedger(await rebuildOutcome(adapter, row, known), ledger);
    }
    case 'declined':
      throw toRefusalError({ failure: row.failure ?? buildFailure('card_declined') });
    case 'failed':
      throw toUnavailableError({});
    default:
      throw new AppError('outcome_unknown');
  }
}

function rebuildOutcome(adapter: AdapterCore, row: GatewayCall, known: CallResult): Promise<Outcome> {
  const { operationId } = row;
  return buildOutcome(adapter, {
    subject: row,
    operation: 'authorise',
    operationId,
    source: 'response',
    verdict: known,
  });
}

type LedgerOperation = { readonly bus: Bus; readonly deadline: number; readonly psp: string };

/**
 * Sends the outcome to the ledger at once, so that the payer sees whether the hold counts; the outbox sends it
 * anyway.
 */
async function settleWithLedger(outcome: Outcome, { bus, deadline, psp }: LedgerOperation): Promise<void> {
  const verdict = await between(psp, 'outcome-record', () =>
    bus.call(recordOutcome, outcome, { deadline }).catch((cause: unknown) => {
      // The outcome is stored and will arrive: a definite refusal is still the result.
      if (outcome.failure) return undefined;
      throw new AppError('outcome_unknown', {}, { cause });
    }),
  );
  if (outcome.status === 'unknown') throw new AppError('outcome_unknown');
  if (outcome.status === 'authenticating') throw new AppError('authentication_required');
  if (outcome.failure) throw toRefusalError({ failure: outcome.failure });
  if (verdict && !HELD.includes(verdict.intent.state)) throw notAccepted(verdict);
}

/** The gateway held the money, but the ledger did not accept the hold and is voiding it. */
function notAccepted({ intent, group_state }: LedgerVerdict): AppError {
  const code = intent.failure?.code;
  if (intent.failure && isErrorCode(code)) return new AppError(code, { message: intent.failure.message });
  if (code === 'amount_mismatch')
    return new AppError('card_declined', {
      message: 'the gateway held another amount; it is being released',
    });
  if (group_state === 'expired') return new AppError('group_expired');
  return new AppError(group_state === 'cancelled' ? 'group_not_payable' : 'slot_no_longer_available');
}
