import type { GroupDecision } from '../decision.ts';

/** How long after its creation a group may collect. */
export const maxLifeMs = 7 * 24 * 60 * 60 * 1_000;

/** Gateways take at most eight digits of minor units. */
export const maxPaymentMinor = 99_999_999n;

/** Returns the refusal of a field, as the edge would word it. */
export function invalid(param: string, reason: string): Extract<GroupDecision, { kind: 'rejected' }> {
  const message = `Validation error: ${param}: ${reason}`;
  return { kind: 'rejected', code: 'validation_error', message, param, details: [{ param, reason }] };
}
