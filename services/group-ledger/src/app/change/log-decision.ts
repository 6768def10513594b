import type { Logger } from '@gp/telemetry';
import type { AcceptedDecision, Group } from '../../domain/index.ts';

/** Logs a decision: one line for each new state of the group or an intent and for each alert, in the trace of its payment. */
export function logDecision(
  log: Logger,
  before: Group,
  { transitions, effects }: AcceptedDecision,
  findTrace: (intentId: string | null) => string | undefined,
): void {
  const group = { group_id: before.id, merchant_id: before.merchantId, mode: before.mode };
  const about = (intentId: string | null) => ({
    ...group,
    ...(intentId !== null && { intent_id: intentId }),
    traceparent: findTrace(intentId),
  });
  for (const { entity, entityId, from, to } of transitions) {
    if (entity !== 'intent' && entity !== 'group') continue;
    const subject = about(entity === 'intent' ? entityId : null);
    log.info({ ...subject, state_from: from ?? 'none', state_to: to }, `${entity} is ${to}`);
  }
  for (const effect of effects)
    if (effect.kind === 'alert')
      log.error({ ...about(effect.intentId), code: effect.code }, 'a person has to look at this payment');
}
