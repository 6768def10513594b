import { validationError } from '@gp/errors';
import type { HttpRequest, HttpResponse } from '@gp/http';
import type { RecordedCall } from '../app/ports.ts';
import type { Payment } from '../domain/payment.ts';
import { readGateway } from './read.ts';

/** The record of one callback in the books. */
export type CallbackNote = {
  readonly pspReference: string;
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
};

/** The books as a tester reads them. */
export interface BooksReader {
  payments(filter: { gateway: string | null; reference: string | null; limit: number }): Promise<Payment[]>;
  listCalls(pspReferences: readonly string[]): Promise<RecordedCall[]>;
  listCallbacks(pspReferences: readonly string[]): Promise<CallbackNote[]>;
}

const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 50_000;

/** `GET /control/books`: everything the gateways know, newest payment first. */
export async function showBooks(reader: BooksReader, { query }: HttpRequest): Promise<HttpResponse> {
  const named = query.get('gateway');
  const payments = await reader.payments({
    gateway: named ? readGateway(named) : null,
    reference: query.get('reference') || null,
    limit: parseLimit(query.get('limit')),
  });
  const references = payments.map(({ pspReference }) => pspReference);
  const calls = Map.groupBy(await reader.listCalls(references), ({ pspReference }) => pspReference);
  const callbacks = Map.groupBy(await reader.listCallbacks(references), ({ pspReference }) => pspReference);
  const pages = payments.map((payment) => ({
    ...toPaymentPage(payment),
    calls: (calls.get(payment.pspReference) ?? []).map(toCallEntry),
    callbacks: (callbacks.get(payment.pspReference) ?? []).map(({ pspReference: _of, ...note }) => note),
  }));
  return { status: 200, body: { payments: pages } };
}

function parseLimit(text: string | null): number {
  if (text === null) return DEFAULT_LIMIT;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT)
    throw validationError('limit', `must be an integer from 1 to ${MAX_LIMIT}`);
  return limit;
}

const toPaymentPage = (p: Payment) => ({
  gateway: p.gateway,
  psp_reference: p.pspReference,
  payment_intent_id: p.paymentIntentId,
  reference: p.reference,
  account: p.account,
  amount_minor: Number(p.amountMinor),
  currency: p.currency.toUpperCase(),
  status: p.status,
  authorised_minor: Number(p.authorisedMinor),
  captured_minor: Number(p.capturedMinor),
  refunded_minor: Number(p.refundedMinor),
  pending_step: p.pendingStep,
  disputed: p.isDisputed,
  hold_expires_at: p.holdExpiresAt?.toISOString() ?? null,
  created_at: p.createdAt.toISOString(),
});

const toCallEntry = ({ operation, outcome, fault, at }: RecordedCall) => ({
  operation,
  at: at.toISOString(),
  outcome,
  ...(fault !== null && { fault }),
});
