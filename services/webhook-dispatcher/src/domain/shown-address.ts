/** Names in paths are shorter; what is longer may be a token. */
const LONGEST_SHOWN = 16;
const BEGIN = 4;

/**
 * Returns the address of an endpoint as a mail may show it: without query, fragment and user, and with the long parts of its
 * path cut, because services put tokens there.
 */
export function formatShownAddress(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return '';
  const path = parsed.pathname.split('/').map(cut).join('/');
  return path === '/' ? parsed.origin : parsed.origin + path;
}

function cut(part: string): string {
  return part.length > LONGEST_SHOWN ? `${part.slice(0, BEGIN)}…` : part;
}
