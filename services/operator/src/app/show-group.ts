import type { Bus } from '@gp/bus';
import { findTimers, inspectGroup } from '@gp/contracts';
import { AppError } from '@gp/errors';

/** Kinds of timers the ledger sets, by the last part of their keys. */
const OF_INTENTS = ['reservation', 'hold', 'capture', 'refund'];
const OF_ATTEMPTS = ['query', 'void'];

/**
 * Returns all that is known of a group, with its next timers; without timers while the scheduler is unavailable.
 */
export async function showGroup(bus: Bus, groupId: string): Promise<object> {
  const whole = await bus.call(inspectGroup, { group_id: groupId });
  const ids = (rows: readonly Record<string, unknown>[]): string[] => rows.map(({ id }) => String(id));
  const keys = [
    `expiry:${groupId}`,
    ...OF_INTENTS.flatMap((kind) => ids(whole.intents).map((id) => `${kind}:${id}`)),
    ...OF_ATTEMPTS.flatMap((kind) => ids(whole.attempts).map((id) => `${kind}:${id}`)),
  ];
  const request = { owner: 'ledger', keys: keys.slice(0, 1_000) };
  const timers = await bus.call(findTimers, request).then(
    (answer) => answer.timers,
    (error: unknown) => {
      if (error instanceof AppError) return 'the scheduler does not answer';
      throw error;
    },
  );
  return { ...whole, timers };
}
