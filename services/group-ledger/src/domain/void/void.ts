import type { GroupDraft } from '../group/group-draft.ts';
import { findOpenVoid, findVoid, isOpen, type Void } from '../group/group.ts';
import { pauseUntilAlert, silenceMs } from '../policy.ts';
import { timerKey } from '../timers/timer-key.ts';
import type { Authorization } from '../authorization/authorization.ts';
import type { Intent } from '../intent/intent.ts';

/**
 * Orders the void of an authorization, held or not yet; a second request orders nothing more. With
 * `unlessAuthorised` the gateway is to leave a hold alone that already exists.
 */
export function requestVoid(
  draft: GroupDraft,
  intent: Intent,
  authorizationId: string,
  unlessAuthorised = false,
): void {
  const earlier = findVoid(draft.group, authorizationId);
  if (earlier && isOpen(earlier) && (unlessAuthorised || !earlier.unlessAuthorised)) return;
  const operationId = draft.context.newId();
  const fresh = {
    operationId,
    requestedAtMs: draft.context.nowMs,
    unlessAuthorised,
    state: 'started',
  } as const;
  if (earlier) {
    sendVoid(draft, intent, draft.patch('voids', earlier, { ...fresh, seq: earlier.seq + 1 }));
    return;
  }
  const order: Void = { id: operationId, intentId: intent.id, authorizationId, seq: 1, ...fresh };
  draft.add('voids', order);
  sendVoid(draft, intent, order);
}

/** Sends the order unchanged, and sets the timer for a missing outcome. */
export function sendVoid(draft: GroupDraft, intent: Intent, order: Void): void {
  const { authorizationId, operationId, seq, unlessAuthorised } = order;
  const authorization = intent.authorizations.find(({ id }) => id === authorizationId);
  draft.requestOperation({
    operation: 'void',
    pspCode: intent.pspCode,
    credentialVersion: intent.credentialVersion,
    intentId: intent.id,
    authorizationId,
    operationId,
    seq,
    // A hold in a foreign currency has no amount of ours; every gateway releases the whole of it all the same.
    amountMinor: authorization?.amountMinor || intent.amountMinor,
    pspReference: authorization?.pspReference ?? null,
    notAfterMs: null,
    unlessAuthorised,
  });
  retryVoidIn(draft, order, silenceMs(draft.context, order));
}

export function retryVoidIn(
  draft: GroupDraft,
  { intentId, authorizationId, requestedAtMs: sinceMs }: Void,
  delayMs: number,
): void {
  const { nowMs, jitter, policy } = draft.context;
  const alarm = { nowMs, sinceMs, alertAfterMs: policy.voidAlertMs };
  const dueAtMs = nowMs + pauseUntilAlert(jitter(delayMs), alarm);
  draft.setTimer('void_retry', timerKey.void(authorizationId), dueAtMs, { intentId, authorizationId });
}

/** Concludes the attempt's open release, if there is one. */
export function closeVoid(
  draft: GroupDraft,
  authorizationId: string,
  state: 'confirmed' | 'lapsed' | 'withdrawn' | 'refused',
): void {
  const order = findOpenVoid(draft.group, authorizationId);
  if (!order) return;
  draft.patch('voids', order, { state });
  draft.cancelTimer(timerKey.void(authorizationId));
}

/**
 * Returns when the target of a void has ended at the gateway by itself. Where the hold had ended before, the target is
 * the payment, which the payer might pay once more until then.
 */
export function releaseDeadlineMs(
  draft: GroupDraft,
  authorization: Authorization,
  { requestedAtMs }: Void,
): number {
  const { holdWindowMs } = draft.context.policy;
  if (authorization.state === 'cancelled') return requestedAtMs + holdWindowMs;
  return authorization.captureBeforeMs ?? authorization.startedAtMs + holdWindowMs;
}
