import type { Failure, Outcome } from '@gp/contracts';
import { AppError } from '@gp/errors';
import {
  findHold,
  findIntent,
  type AuthoriseResult,
  type CaptureResult,
  type Command,
  type Group,
  type RefundResult,
  type VoidResult,
} from '../../domain/index.ts';

const UNEXPLAINED: Failure = {
  code: 'gateway_error',
  message: 'the gateway gave no reason',
  retryable: true,
};

/**
 * Returns the command for an outcome. Throws validation_error when its parts do not fit together: such a
 * message is a bug of an adapter and ends as a dead letter, never as a guess about money.
 */
export function parseOutcome(group: Group, outcome: Outcome): Command {
  assertSamePayment(group, outcome);
  const onIntent = { intentId: outcome.intent_id };
  if (outcome.operation === 'dispute')
    return {
      type: 'recordDispute',
      ...onIntent,
      authorizationId: outcome.attempt_id,
      disputed: outcome.status === 'disputed',
    };
  if (outcome.operation === 'authorise') {
    const onAuthorization = { ...onIntent, authorizationId: required(outcome, 'attempt_id') };
    if (outcome.status === 'authenticating')
      return {
        type: 'noteAuthorising',
        ...onAuthorization,
        pspReference: outcome.psp_reference,
        isAnswer: outcome.source === 'query',
      };
    return { type: 'recordAuthorisation', ...onAuthorization, result: authoriseResult(group, outcome) };
  }
  if (outcome.operation_id === null) return toExternalCommand(group, outcome);
  const onOperation = {
    ...onIntent,
    authorizationId: required(outcome, 'attempt_id'),
    operationId: outcome.operation_id,
  };
  switch (outcome.operation) {
    case 'capture':
      return { type: 'recordCapture', ...onOperation, result: captureResult(outcome) };
    case 'void':
      return { type: 'recordVoid', ...onOperation, result: voidResult(group, outcome) };
    case 'refund':
      return { type: 'recordRefund', ...onOperation, result: refundResult(outcome) };
  }
}

/** Checks that a gateway reports its own payments, in their currency (B5). */
function assertSamePayment(group: Group, outcome: Outcome): void {
  const intent = findIntent(group, outcome.intent_id);
  const isOther = intent !== undefined && intent.pspCode !== outcome.psp_code;
  if (isOther || (!isHold(outcome) && isForeign(group, outcome))) throw misfit(outcome);
}

/** Returns whether the outcome reports a hold: one in another currency is not refused but released. */
function isHold({ operation, status }: Outcome): boolean {
  return (operation === 'authorise' && status === 'authorised') || status === 'spared';
}

function isForeign(group: Group, { currency }: Outcome): boolean {
  return currency !== null && currency !== group.currency;
}

/** Returns the command for an operation made at the gateway and not ordered by us (C6, D6, E6, E8). */
function toExternalCommand(group: Group, outcome: Outcome): Command {
  const intentId = outcome.intent_id;
  const { operation, status } = outcome;
  const intent = findIntent(group, intentId);
  const authorizationId = outcome.attempt_id ?? (intent && findHold(intent)?.authorizationId) ?? null;
  if (operation === 'capture' && status === 'captured')
    return {
      type: 'recordExternalCapture',
      intentId,
      authorizationId: authorizationId ?? required(outcome, 'attempt_id'),
      amountMinor: amount(outcome),
    };
  if (operation === 'capture' && status === 'failed')
    return { type: 'reverseCapture', intentId, authorizationId };
  if (operation === 'refund' && status === 'refunded')
    return {
      type: 'recordExternalRefund',
      intentId,
      authorizationId,
      refundId: outcome.message_id,
      amountMinor: amount(outcome),
    };
  // Only an operation that is not ours has to report its amount.
  if (operation === 'refund' && status === 'failed')
    return outcome.amount_minor === null
      ? { type: 'reverseRefund', intentId }
      : { type: 'reverseExternalRefund', intentId, authorizationId, amountMinor: amount(outcome) };
  if (operation === 'void' && status === 'voided')
    return {
      type: 'recordAuthorisation',
      intentId,
      authorizationId: authorizationId ?? required(outcome, 'attempt_id'),
      result: { status: 'lapsed' },
    };
  throw misfit(outcome);
}

function authoriseResult(group: Group, outcome: Outcome): AuthoriseResult {
  switch (outcome.status) {
    case 'authorised':
      return { status: 'authorised', ...hold(group, outcome) };
    case 'declined':
      return { status: 'declined', failure: outcome.failure ?? UNEXPLAINED };
    case 'unknown':
    case 'absent':
    case 'lapsed':
      return { status: outcome.status };
    default:
      throw misfit(outcome);
  }
}

function captureResult(outcome: Outcome): CaptureResult {
  switch (outcome.status) {
    case 'captured':
      return { status: 'captured', amountMinor: amount(outcome) };
    case 'failed':
      return { status: 'failed', failure: outcome.failure ?? UNEXPLAINED };
    case 'retryable':
    case 'unknown':
    case 'lapsed':
      return { status: outcome.status };
    default:
      throw misfit(outcome);
  }
}

function voidResult(group: Group, outcome: Outcome): VoidResult {
  switch (outcome.status) {
    case 'spared':
      return { status: 'already_authorised', ...hold(group, outcome) };
    case 'voided':
    case 'absent':
    case 'retryable':
    case 'unknown':
      return { status: outcome.status };
    case 'captured':
      return { status: 'captured', ...(outcome.amount_minor !== null && { amountMinor: amount(outcome) }) };
    // The hold ended by itself, which is what the void was for.
    case 'lapsed':
      return { status: 'voided' };
    default:
      throw misfit(outcome);
  }
}

function refundResult(outcome: Outcome): RefundResult {
  switch (outcome.status) {
    case 'refunded':
      return { status: 'refunded', amountMinor: amount(outcome) };
    case 'failed':
      return { status: 'failed', failure: outcome.failure ?? UNEXPLAINED };
    case 'retryable':
    case 'unknown':
      return { status: outcome.status };
    default:
      throw misfit(outcome);
  }
}

/** A hold in another currency is worth nothing in the group's own: its amount is wrong, so it is released (B5). */
function hold(group: Group, outcome: Outcome) {
  return {
    amountMinor: isForeign(group, outcome) ? 0n : amount(outcome),
    captureBeforeMs: outcome.capture_before === null ? null : Date.parse(outcome.capture_before),
    pspReference: outcome.psp_reference,
  };
}

function amount(outcome: Outcome): bigint {
  return BigInt(required(outcome, 'amount_minor'));
}

function required(outcome: Outcome, field: 'attempt_id' | 'amount_minor'): string {
  const value = outcome[field];
  if (value === null) throw misfit(outcome);
  return value;
}

function misfit({ operation, status }: Outcome): AppError {
  return new AppError('validation_error', {
    message: `an outcome ${operation}/${status} does not fit its payment`,
  });
}
