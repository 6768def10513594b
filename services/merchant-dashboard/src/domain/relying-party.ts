/** To whom passkeys belong: a host name, and the origin whose pages may use them. */
export type RelyingParty = { readonly id: string; readonly origin: string };

const LOOPBACK = new Set(['127.0.0.1', '[::1]']);

/**
 * Returns the relying party of the dashboard. Browsers give passkeys to host names only, so a dashboard at a loopback
 * address uses `localhost`, where it is reached, too.
 */
export function findRelyingParty(dashboardUrl: string): RelyingParty {
  const url = new URL(dashboardUrl);
  if (LOOPBACK.has(url.hostname)) url.hostname = 'localhost';
  return { id: url.hostname, origin: url.origin };
}
