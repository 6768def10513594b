import { AppError } from '@gp/errors';
import type { HttpHead } from '@gp/http';

/**
 * Refuses what another site made a browser send. Browsers say so in `Sec-Fetch-Site`, and those that do not send an `Origin`,
 * which must be ours; programs send neither and cannot be tricked this way.
 */
export function refuseOtherSites({ headers }: Pick<HttpHead, 'headers'>, home: string): void {
  const { 'sec-fetch-site': site, origin } = headers;
  const isOurs =
    site === undefined ? origin === undefined || origin === new URL(home).origin : site === 'same-origin';
  if (!isOurs) throw new AppError('insufficient_scope', { message: 'requests from other sites are refused' });
}
