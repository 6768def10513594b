import { validationError } from '@gp/errors';
import { isLoopback, isReachable, parseLiteral } from './address.ts';

const LONGEST = 2048;
/** Plain http is for the developer's own machine, and only when it is called by these very names. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

// RFC 3986, as far as an address of http needs it.
const HOST = String.raw`(?:\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)`;
const PATH = String.raw`(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*`;
const TAIL = String.raw`(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*`;
const URI = new RegExp(String.raw`^https?://${HOST}(?::\d*)?(?:/${PATH})?(?:\?${TAIL})?(?:#${TAIL})?$`, 'i');
/** Characters that a URL may contain after its host and a URI may not; a percent sign is left as it is. */
const STRAY = /[^\w.~!$&'()*+,;=:@/?%-]/gu;

/**
 * Returns the address of an endpoint as a URI: unchanged where it is one, else with its host in Punycode and other
 * characters percent-encoded. Throws `validation_error` with param `url` and the reason. The name is not resolved here:
 * its addresses may change any time and are checked at every attempt.
 */
export function parseEndpointUrl(text: string): string {
  const uri = toUri(text);
  const reason = findFault(text) ?? findUriFault(uri);
  if (reason !== undefined) throw validationError('url', reason);
  return uri;
}

/** Returns an address as a URI; earlier releases stored addresses as they were given. */
export function toUri(text: string): string {
  const url = URI.test(text) ? null : URL.parse(text);
  if (!url) return text;
  const { origin, pathname, search, hash } = url;
  const encode = (part: string): string => part.replace(STRAY, encodeURIComponent);
  return origin + encode(pathname) + encode(search) + (hash && `#${encode(hash.slice(1))}`);
}

function findUriFault(uri: string): string | undefined {
  if (uri.length > LONGEST) return `must have at most ${LONGEST} characters once it is percent-encoded`;
  return URI.test(uri) ? undefined : 'must be a URI as RFC 3986 describes it';
}

function findFault(text: string): string | undefined {
  if (text.length > LONGEST) return `must have at most ${LONGEST} characters`;
  // Parsers drop tabs, line ends and surrounding spaces: these must not be stored.
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain spaces or control characters';
  const url = URL.parse(text);
  const written = /^(https?):\/\/([^/?#\\]+)/i.exec(text);
  if (!url || !written) return 'must be an absolute https address, such as https://shop.example/webhooks';
  const [, , authority = ''] = written;
  if (authority.includes('@')) return 'must not contain a user name or password';
  const host = authority.replace(/:\d*$/, '').toLowerCase();
  if (url.protocol === 'http:') {
    return LOOPBACK_HOSTS.includes(host) ? undefined : 'must use https (http is allowed for localhost only)';
  }
  if (url.port === '0') return 'must not use port 0';
  return faultOfHost(url.hostname, host);
}

/** An address written so that a careless filter misreads it has no honest use. */
function faultOfHost(hostname: string, written: string): string | undefined {
  const literal = parseLiteral(hostname);
  if (literal === undefined) return undefined;
  if (
    isLoopback(literal) ? !LOOPBACK_HOSTS.includes(written) : !isReachable(literal, { allowLoopback: false })
  ) {
    return 'must not point to a private or reserved address';
  }
  return written === hostname ? undefined : 'must give the IP address in its usual form';
}
