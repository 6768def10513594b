import type { GroupDraft } from '../group/group-draft.ts';
import { isPreparedAtGateway } from '../gateway-facts.ts';
import { computeDelayMs, pauseUntilAlert, computePauseUntilQueryMs } from '../policy.ts';
import { timerKey } from '../timers/timer-key.ts';
import type { Authorization } from './authorization.ts';
import type { Intent } from '../intent/intent.ts';

/**
 * Sets the next query of an authorization: where the payer acts at the gateway, at the instants of its table, else
 * on the query schedule.
 */
export function askLater(
  draft: GroupDraft,
  intent: Intent,
  authorization: Authorization,
  step: number,
): void {
  const { nowMs, jitter, policy } = draft.context;
  const { id: authorizationId, startedAtMs: sinceMs } = authorization;
  const alarm = { nowMs, sinceMs, alertAfterMs: policy.unresolvedAlertMs };
  const untilNextMs = isPreparedAtGateway(intent.pspCode)
    ? computePauseUntilQueryMs(policy.queriesMs[intent.pspCode], nowMs - sinceMs)
    : undefined;
  const pauseMs = pauseUntilAlert(untilNextMs ?? jitter(computeDelayMs(policy.querySchedule, step)), alarm);
  draft.setTimer('authorisation_query', timerKey.query(authorizationId), nowMs + pauseMs, {
    intentId: intent.id,
    authorizationId,
    step,
  });
}

/**
 * Sets the next query of an authorization that was reported absent because the gateway knew of no payment: where
 * the payer acts at the gateway, the payment may have begun late, and its notification can get lost.
 */
export function scheduleLateQuery(draft: GroupDraft, intent: Intent, authorization: Authorization): void {
  const { nowMs, policy } = draft.context;
  const next = policy.lateQueriesMs[intent.pspCode].find((atMs) => authorization.startedAtMs + atMs > nowMs);
  if (next === undefined) return;
  draft.setTimer('authorisation_query', timerKey.query(authorization.id), authorization.startedAtMs + next, {
    intentId: intent.id,
    authorizationId: authorization.id,
  });
}

/** Orders a query of the authorization. */
export function askAbout(draft: GroupDraft, intent: Intent, authorization: Authorization): void {
  draft.requestOperation({
    operation: 'query',
    pspCode: intent.pspCode,
    credentialVersion: intent.credentialVersion,
    intentId: intent.id,
    authorizationId: authorization.id,
    operationId: authorization.id,
    seq: authorization.seq,
    amountMinor: intent.amountMinor,
    pspReference: authorization.pspReference,
    notAfterMs: null,
    unlessAuthorised: false,
  });
}
