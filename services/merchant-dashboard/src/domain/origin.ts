const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns why a text is not a web origin that may be registered, or undefined. Allowed are `https`, and `http` on
 * the loopback host.
 */
export function originFault(text: string): string | undefined {
  const url = URL.parse(text);
  // The parser accepts an asterisk in a host, but no page has such an origin.
  if (!url || url.origin !== text || text.includes('*'))
    return 'must be an origin, such as https://shop.example';
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.has(url.hostname));
  return isSafe ? undefined : 'must be https; http is for localhost only';
}
