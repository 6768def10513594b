import { isUnavailable } from '@gp/pg';
import type { Published } from './publish-rows.ts';

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

export type HeldBackGroups = {
  /** Groups that must not be read now. */
  keys(): string[];
  /** Processes the result of a round; returns the failures whose groups are held back because of it. */
  record(round: Published): Published['failed'];
};

/**
 * Groups whose next message is refused, each left out for a while (1 s, doubling to 60 s): without this, two
 * hundred refused rows at the head of the outbox would hide all healthy ones behind them. A round in which
 * nothing at all was stored was an outage: then no group is held back, and all go on as soon as it is over.
 */
export function heldBackGroups(now: () => number): HeldBackGroups {
  const groups = new Map<string, { until: number; delayMs: number }>();

  const holdBack = (key: string): void => {
    const delayMs = Math.min(2 * (groups.get(key)?.delayMs ?? FIRST_DELAY_MS / 2), LONGEST_DELAY_MS);
    groups.set(key, { until: now() + delayMs, delayMs });
  };
  return {
    keys: () => [...groups].filter(([, { until }]) => until > now()).map(([key]) => key),
    record({ sent, failed }) {
      sent.forEach((row) => groups.delete(row.group_key));
      const isOutage = sent.length === 0 && failed.every(({ error }) => isUnavailable(error));
      if (isOutage) return [];
      failed.forEach(({ row }) => holdBack(row.group_key));
      return failed;
    },
  };
}
