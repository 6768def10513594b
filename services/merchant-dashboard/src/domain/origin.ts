const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Why a text is not a web origin that may be registered, or undefined: `https`, or `http` on this very machine. */
export function originFault(text: string): string | undefined {
  const url = URL.parse(text);
  // A star is a legal host character to the parser, and an origin of nobody's.
  if (!url || url.origin !== text || text.includes('*'))
    return 'must be an origin, such as https://shop.example';
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.has(url.hostname));
  return isSafe ? undefined : 'must be https; http is for localhost only';
}
