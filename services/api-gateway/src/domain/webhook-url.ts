const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns why events cannot be sent to this address, undefined when they can. The dispatcher checks again at every
 * delivery, and more strictly: a name may resolve to another address every day.
 */
export function webhookUrlFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'must be an absolute URL';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  if (url.protocol === 'https:') return undefined;
  const isLocal = url.protocol === 'http:' && LOOPBACK.has(url.hostname);
  return isLocal ? undefined : 'must use https (http is allowed only for localhost)';
}
