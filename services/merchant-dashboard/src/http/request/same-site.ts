import { AppError } from '@gp/errors';
import type { HttpHead } from '@gp/http';

const FRIENDLY = new Set(['same-origin', 'none']);

/**
 * Refuses requests that another site made the browser send. Browsers report the site in `Sec-Fetch-Site`; for
 * those that do not, the `Origin` must be this host. Programs send neither and cannot be tricked this way.
 */
export function refuseOtherSites({ headers }: Pick<HttpHead, 'headers'>): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    if (!FRIENDLY.has(site)) throw crossSite();
    return;
  }
  const { origin, host } = headers;
  if (origin !== undefined && (host === undefined || parseHost(origin) !== host.toLowerCase()))
    throw crossSite();
}

/** Returns the host of an origin; `null` (a sandboxed frame, a redirect across sites) has none. */
function parseHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

const crossSite = () => new AppError('unauthorized', { message: 'requests from other sites are refused' });
