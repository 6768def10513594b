import type { GatewayOperation, Outcome } from '@gp/contracts';
import { uuidv7 } from 'uuidv7';
import { scope, type Ledger, type Replica } from './harness.ts';

type Reserved = Awaited<ReturnType<Replica['reserve']>>;
const DAY_MS = 24 * 3_600_000;

/** The gateway's outcome for the authorization of a reservation: a hold, unless stated otherwise. */
export function authorised(
  { intent, attempt }: Pick<Reserved, 'intent' | 'attempt'>,
  o: Partial<Outcome> = {},
): Outcome {
  return {
    message_id: uuidv7(),
    ...scope,
    group_id: intent.group_id,
    intent_id: intent.id,
    attempt_id: attempt?.id ?? null,
    operation: 'authorise',
    operation_id: attempt?.id ?? null,
    source: 'callback',
    psp_code: intent.psp_code,
    psp_reference: `pi_${intent.id.slice(-6)}`,
    status: 'authorised',
    amount_minor: intent.amount_minor,
    currency: intent.currency,
    capture_before: new Date(Date.now() + 6 * DAY_MS).toISOString(),
    failure: null,
    observed_at: new Date().toISOString(),
    ...o,
  };
}

export const failure = { code: 'card_declined', message: 'the card was declined', retryable: true };

export function declined(reserved: Pick<Reserved, 'intent' | 'attempt'>): Outcome {
  return authorised(reserved, { status: 'declined', amount_minor: null, capture_before: null, failure });
}

/** The gateway's outcome for an order of the ledger. */
export function answerTo(
  order: GatewayOperation,
  psp_code: Outcome['psp_code'],
  status: Outcome['status'],
  o: Partial<Outcome> = {},
): Outcome {
  const { group_id, intent_id, attempt_id, operation, operation_id, amount_minor, currency } = order;
  return {
    message_id: uuidv7(),
    ...scope,
    group_id,
    intent_id,
    attempt_id,
    operation: operation === 'query' ? 'authorise' : operation,
    operation_id,
    source: 'response',
    psp_code,
    psp_reference: 'pi_1',
    status,
    amount_minor,
    currency,
    capture_before: null,
    failure: null,
    observed_at: new Date().toISOString(),
    ...o,
  };
}

/** The orders a group gave to gateway_a, oldest first. */
export function listOrders(
  ledger: Pick<Ledger, 'listMessages'>,
  groupId: string,
  operation: GatewayOperation['operation'],
): Promise<GatewayOperation[]> {
  return ledger.listMessages<GatewayOperation>(groupId, `cmd.gateway\\_a.payment.${operation}.v1`);
}

/** Answers every order of a kind that was given so far. */
export async function answerAll(
  ledger: Ledger,
  groupId: string,
  operation: GatewayOperation['operation'],
  status: Outcome['status'],
): Promise<void> {
  for (const order of await listOrders(ledger, groupId, operation))
    await ledger.record(answerTo(order, 'gateway_a', status));
}
