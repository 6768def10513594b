import type { GroupDecision } from '../decision.ts';

/** How long after its creation a group may collect. */
export const maxLifeMs = 7 * 24 * 60 * 60 * 1_000;

/** Returns the refusal of a field, as the edge would word it. */
export function invalid(param: string, reason: string): Extract<GroupDecision, { kind: 'rejected' }> {
  const message = `Validation error: ${param}: ${reason}`;
  return { kind: 'rejected', code: 'validation_error', message, param, details: [{ param, reason }] };
}
