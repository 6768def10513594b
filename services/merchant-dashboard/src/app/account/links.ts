import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@gp/errors';
import { clientNetwork } from '@gp/http';
import type { WebParts } from '../ports.ts';
import { countTry } from './tries.ts';

/** A client that waits for its answer follows two wrong links a second on a connection, and no more. */
const REFUSED_AFTER_MS = 500;

/**
 * Runs the following of a mailed link. It is counted by the client's network, and a refusal is sent after a pause:
 * a flood of wrong links then takes neither the process nor the database from others. Rejects with `rate_limited`
 * after too many, and with what `follow` rejects with.
 */
export async function followLink<T>(
  { db, limits }: Pick<WebParts, 'db' | 'limits'>,
  address: string,
  follow: () => Promise<T>,
): Promise<T> {
  try {
    await countTry(db, { what: 'link', of: clientNetwork(address), limit: limits.perAddress });
    return await follow();
  } catch (refusal) {
    await delay(REFUSED_AFTER_MS);
    throw refusal;
  }
}

/** Returns the one error for all links that cannot be used: unknown, used, or too old. */
export function staleLink(): AppError {
  return new AppError('unauthorized', { message: 'this link was used or is too old', param: 'token' });
}
