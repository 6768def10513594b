import { recordOutcome, type Outcome } from '@gp/contracts';
import type { Card } from '@gp/gateway-registry';
import type { Bus } from '@gp/bus';
import { AppError } from '@gp/errors';
import { currentTraceparent } from '@gp/telemetry';
import type { Adapter, AdapterCore } from '../adapter.ts';
import { insertGatewayCall, listPaymentCalls } from '../db/gateway-calls.ts';
import { buildFailure } from '../domain/failure.ts';
import type { Answer, GatewayAccount, Payment } from '../domain/payment.ts';
import { buildUnacceptedError, type LedgerReply } from '../domain/unaccepted-hold.ts';
import { findNewest, type GatewayCall } from '../domain/gateway-call.ts';
import { buildResult, decideFromAnswer, type CallResult } from '../domain/call-result.ts';
import { between } from '../fail-points.ts';

import { ask, locate } from './ask.ts';
import { conclude } from './conclude.ts';
import { toRefusalError, toUnavailableError } from './prepare-payment.ts';
import { buildOutcome } from './report.ts';
import { toLeaseSeconds, withLease } from './with-lease.ts';

export type Confirmation = {
  readonly payment: Payment;
  readonly seq: number;
  readonly credentialVersion: number;
  readonly card: Card;
  /** The page to which the payer returns from the bank; null: a card that requires authentication is refused. */
  readonly returnUrl: string | null;
  /** epoch ms */
  readonly deadline: number;
};

/** The part of the caller's deadline that is kept for recording the result and for the ledger's reply. */
const RESERVE_MS = 2_000;
/** The longest wait of a payer, whatever the caller's deadline. */
const LONGEST_MS = 20_000;

const HELD: readonly LedgerReply['intent']['state'][] = ['preauthorised', 'capture_pending', 'captured'];
/** The payer may go to the bank: the callback of a quick one can even have come before. */
const AWAITED: typeof HELD = ['processing', ...HELD];

/**
 * Authorises with the payer's card. Resolves once the ledger has accepted the hold, or with the address of the bank's page
 * where the payer is awaited. The card goes to the gateway and nowhere else, once: a try whose answer is lost is queried,
 * never sent again.
 */
export function confirmPayment<C>(
  adapter: Adapter<C>,
  bus: Bus,
): (c: Confirmation) => Promise<string | undefined> {
  return async (c) => {
    const { merchantId, mode } = c.payment;
    const account = await adapter.accounts.get({ merchantId, mode, version: c.credentialVersion });
    const deadline = Math.min(c.deadline, Date.now() + LONGEST_MS);
    const ledger = { bus, deadline, psp: adapter.psp };
    const row = await writeAhead(adapter, c);
    if (!row) return reportEarlierTry(adapter, c, { account, ledger });
    const payment = { ...c.payment, canBeAuthenticated: c.returnUrl !== null };
    const answer = await withLease(adapter, row, () =>
      adapter.calls.authorise(payment, c.card, account, {
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
    return answer.kind === 'authenticating' ? answer.challengeUrl : undefined;
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
        returnUrl: c.returnUrl,
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

/**
 * Reports a try that began before in its present state; it is never sent again. Returns the bank's page while the payer is
 * awaited there.
 */
async function reportEarlierTry<C>(
  adapter: Adapter<C>,
  { payment, returnUrl }: Confirmation,
  { account, ledger }: { account: GatewayAccount<C>; ledger: LedgerOperation },
): Promise<string | undefined> {
  const rows = await listPaymentCalls(adapter.db, payment.attemptId);
  const row = findNewest(rows, 'authorise');
  switch (row?.state) {
    case 'succeeded': {
      const { pspReference, resultMinor } = row;
      const known = buildResult('authorised', null, {
        pspReference,
        amountMinor: resultMinor ?? row.amountMinor,
      });
      await settleWithLedger(await rebuildOutcome(adapter, row, known), ledger);
      return undefined;
    }
    case 'declined':
      throw toRefusalError({ failure: row.failure ?? buildFailure('card_declined') });
    case 'failed':
      throw toUnavailableError({});
    default: {
      const url = returnUrl === null ? undefined : await findChallenge(adapter, payment, account);
      if (url === undefined) throw new AppError('outcome_unknown');
      return url;
    }
  }
}

/** Asks the gateway for the bank's page of a payment; undefined when the payer is not awaited there. */
async function findChallenge<C>(
  adapter: Adapter<C>,
  payment: Payment,
  account: GatewayAccount<C>,
): Promise<string | undefined> {
  const asked = await ask(adapter, await locate(adapter, payment), account);
  const isAwaited = asked.kind === 'found' && asked.truth.status === 'authenticating';
  return isAwaited ? asked.truth.challengeUrl : undefined;
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
      // The outcome is stored and will arrive: a definite refusal is still the result, and so is the bank's page.
      if (outcome.failure || outcome.status === 'authenticating') return undefined;
      throw new AppError('outcome_unknown', {}, { cause });
    }),
  );
  if (outcome.status === 'unknown') throw new AppError('outcome_unknown');
  if (outcome.failure) throw toRefusalError({ failure: outcome.failure });
  const wanted = outcome.status === 'authenticating' ? AWAITED : HELD;
  if (verdict && !wanted.includes(verdict.intent.state)) throw buildUnacceptedError(verdict);
}
