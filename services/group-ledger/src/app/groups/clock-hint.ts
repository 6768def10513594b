import type { Mode } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { aheadMs } from '@gp/test-clock';
import { latestParam } from '../../domain/index.ts';

/** A merchant's time, which in test mode may be ahead of real time. */
export type Clock = { readonly nowMs: number; readonly aheadMs: number };

/** Returns the time of a merchant in a mode. */
export async function findClock(
  db: Db,
  scope: { readonly merchantId: string; readonly mode: Mode },
): Promise<Clock> {
  const ahead = await aheadMs(db, scope);
  return { nowMs: Date.now() + ahead, aheadMs: ahead };
}

/**
 * Returns the result of a decision; a refused expiry names the test clock when that is ahead, because the expiry is right
 * by every other clock that the merchant looks at.
 */
export function withClockHint<T>(result: T, { nowMs, aheadMs }: Clock): T | AppError {
  if (aheadMs === 0 || !isExpiryFault(result)) return result;
  const seconds = Math.round(aheadMs / 1_000);
  const hint =
    `your test clock is ${seconds} seconds ahead: its time is ${new Date(nowMs).toISOString()}. ` +
    'GET /v1/test/clock shows it, POST /v1/test/clock/reset puts it back';
  return new AppError(result.code, { ...result.data, hint }, { cause: result.cause });
}

/** Returns whether an instant of a request is out of range by the clock that it was compared with. */
export const isExpiryFault = (result: unknown): result is AppError =>
  result instanceof AppError &&
  result.code === 'validation_error' &&
  (result.data.param === 'expires_at' || result.data.param === latestParam);
