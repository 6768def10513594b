/** The filter that a search text means; the other one is empty. */
export type LookUp = { readonly path: string; readonly request_id: string };

/**
 * Parses a search text: a request id (`req_…`), or else a path, alone or within an address. Queries are no part of a path in
 * the log.
 */
export function parseLookUp(text: string): LookUp {
  const wanted = text.trim();
  if (wanted.startsWith('req_')) return { path: '', request_id: wanted };
  const path = (URL.parse(wanted)?.pathname ?? wanted).replace(/[?#].*$/, '');
  return { path: path === '' || path.startsWith('/') ? path : `/${path}`, request_id: '' };
}
