import type { ClientData } from '@gp/contracts';
import { AppError, isErrorCode } from '@gp/errors';
import { findConstraint } from '@gp/pg';
import { currentTraceparent } from '@gp/telemetry';
import type { Adapter, AdapterCore } from '../adapter.ts';
import { findGatewayCall, insertGatewayCall, listPaymentCalls } from '../db/gateway-calls.ts';
import type { GatewayCall, NewGatewayCall } from '../domain/gateway-call.ts';
import { refuseAmount, type AmountRule } from '../domain/amount.ts';
import { formatMinor, type Currency } from '@gp/money';
import type { GatewayAccount, Declined, PaymentOrder, PrepareAnswer, Retryable } from '../domain/payment.ts';
import { buildResult } from '../domain/call-result.ts';
import { between } from '../fail-points.ts';
import { buildLogFields, settle } from './conclude.ts';
import { toLeaseSeconds } from './with-lease.ts';

export type Preparation = {
  readonly order: PaymentOrder;
  readonly seq: number;
  readonly credentialVersion: number;
  /** The address to which the payer returns from the gateway's own page, unless the merchant named one. */
  readonly returnUrl: string | null;
  /** epoch ms */
  readonly deadline: number;
};

export type Prepared = { readonly psp_reference: string | null; readonly client: ClientData };

/** The part of the caller's deadline that is kept for storing the result and replying. */
const RESERVE_MS = 500;

/**
 * Makes a payment known to the gateway and returns what the payer's browser needs. It holds and charges nothing,
 * so one and the same attempt may be prepared any number of times; the gateway sees one key.
 */
export function preparePayment<C>(adapter: Adapter<C>): (p: Preparation) => Promise<Prepared> {
  const prepare = prepareOnce(adapter);
  const running = new Map<string, Promise<Prepared>>();
  return (p) => {
    const { attemptId } = p.order;
    if (attemptId === null) return prepare(p);
    // A second caller may repeat the request of a dead one: two calls at once under one key would refuse each
    // other.
    const started = running.get(attemptId) ?? prepare(p).finally(() => running.delete(attemptId));
    running.set(attemptId, started);
    return started;
  };
}

function prepareOnce<C>(adapter: Adapter<C>): (p: Preparation) => Promise<Prepared> {
  return async (p) => {
    const { mode, merchantId, currency, amountMinor, attemptId } = p.order;
    const account = await adapter.accounts.get({ merchantId, mode, version: p.credentialVersion });
    assertCharged(adapter.gateway.amountRule(currency), amountMinor, currency);
    // On gateways where a try begins at confirm, no row is written: no call is made either.
    if (attemptId === null) {
      const signal = AbortSignal.timeout(adapter.settings.leaseMs);
      return toPreparedReply(await adapter.gateway.prepare(p.order, account, { idempotencyKey: '', signal }));
    }
    return prepareRecorded(adapter, { ...p, order: { ...p.order, attemptId } }, account);
  };
}

async function prepareRecorded<C>(
  adapter: Adapter<C>,
  preparation: Preparation & { order: { attemptId: string } },
  account: GatewayAccount<C>,
): Promise<Prepared> {
  const { order, deadline } = preparation;
  const row = await writeAhead(adapter, preparation);
  const named = { ...order, pspReference: row.pspReference };
  const how = { idempotencyKey: row.idempotencyKey, deadline: deadline - RESERVE_MS };
  const first = await adapter.calls.prepare(named, account, how);
  // The same key finds the payment of a lost answer; a breaker that opened meanwhile ends it.
  const answer = first.kind === 'unknown' ? await adapter.calls.prepare(named, account, how) : first;
  await record(adapter, row, first.kind === 'unknown' && answer.kind === 'retryable' ? first : answer);
  await assertWanted(adapter, row);
  return toPreparedReply(answer);
}

/**
 * Refuses a payer whose payment was ended meanwhile. The order to end it either found the stored reference, and
 * ended the payment at the gateway, or it came before the reference and is seen here: in neither case can a hold
 * follow.
 */
async function assertWanted({ db }: AdapterCore, { attemptId }: GatewayCall): Promise<void> {
  const rows = await listPaymentCalls(db, attemptId);
  if (rows.some(({ operation }) => operation === 'void'))
    throw new AppError('no_payable_slots', { message: 'the payment was ended before it could be prepared' });
}

async function writeAhead<C>(
  adapter: Adapter<C>,
  { order, seq, credentialVersion, returnUrl }: Preparation & { order: { attemptId: string } },
): Promise<GatewayCall> {
  const { attemptId } = order;
  const fresh = await between(adapter.psp, 'prepare-start', () =>
    insertNamed(adapter, {
      ...order,
      currency: order.currency.code,
      operation: 'prepare',
      seq,
      operationId: attemptId,
      credentialVersion,
      traceparent: currentTraceparent() ?? null,
      notAfter: null,
      unlessAuthorised: false,
      returnUrl: adapter.gateway.browserReturn ? returnUrl : null,
    }),
  );
  const row = fresh ?? (await findGatewayCall(adapter.db, { attemptId, operation: 'prepare', seq }));
  if (!row) throw new AppError('conflict');
  return row;
}

/** Names are random: a second collision would be no coincidence. */
const NAMES = 3;

/** Inserts the row, under a name that no other payment has where we choose the name. */
async function insertNamed<C>(adapter: Adapter<C>, row: NewGatewayCall): Promise<GatewayCall | undefined> {
  const { db, gateway, settings } = adapter;
  for (let tries = 1; ; tries++) {
    const named = { ...row, pspReference: gateway.newReference?.() ?? null };
    try {
      return await insertGatewayCall(db, named, toLeaseSeconds(settings.leaseMs));
    } catch (error) {
      if (tries === NAMES || findConstraint(error) !== 'one_preparation_per_reference') throw error;
    }
  }
}

async function record<C>(adapter: Adapter<C>, row: GatewayCall, answer: PrepareAnswer): Promise<void> {
  const pspReference = answer.kind === 'prepared' ? answer.pspReference : null;
  const failure = answer.kind === 'declined' ? answer.failure : null;
  const trigger = (
    { prepared: 'approve', declined: 'decline', unknown: 'doubt', retryable: 'fail' } as const
  )[answer.kind];
  await between(adapter.psp, 'prepare-settle', () =>
    settle(adapter.db, row, buildResult('authenticating', trigger, { pspReference, failure })),
  );
  const isMade = answer.kind === 'prepared';
  const fields = { ...buildLogFields(adapter, row), psp_reference: pspReference, outcome: answer.kind };
  adapter.log[isMade ? 'info' : 'warn'](fields, isMade ? 'payment prepared' : 'payment not prepared');
}

function toPreparedReply(answer: PrepareAnswer): Prepared {
  switch (answer.kind) {
    case 'prepared':
      return { psp_reference: answer.pspReference, client: answer.client };
    case 'unknown':
      throw new AppError('outcome_unknown');
    case 'retryable':
      throw toUnavailableError(answer);
    case 'declined':
      throw toRefusalError(answer);
  }
}

/** Builds the error for a gateway that cannot be used now; nothing happened. */
export function toUnavailableError({ retryAfterSeconds }: Pick<Retryable, 'retryAfterSeconds'>): AppError {
  return new AppError('gateway_unavailable', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

/** Builds the error of a refusal, with the catalogue's code where it has one. */
export function toRefusalError({ failure: { code, message } }: Pick<Declined, 'failure'>): AppError {
  return isErrorCode(code) ? new AppError(code, { message }) : new AppError('gateway_error', { message });
}

/**
 * Refuses an amount that the gateway would refuse; for an amount between two steps the error names both steps
 * (G3).
 */
function assertCharged(rule: AmountRule | undefined, amountMinor: bigint, currency: Currency): void {
  const refusal = refuseAmount(rule, amountMinor);
  if (refusal === undefined) return;
  if (!rule || amountMinor % rule.unit === 0n) throw new AppError(refusal);
  const step = `${formatMinor(rule.unit, currency)} ${currency.code}`;
  throw new AppError(refusal, { message: `the payment gateway takes only multiples of ${step}` });
}
