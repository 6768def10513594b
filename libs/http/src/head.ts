import { randomBytes } from 'node:crypto';
import type { Request } from '@gp/bundled/express';
import { AppError } from '@gp/errors';
import type { HttpHead } from './types.ts';

/** Longest address accepted; the parser itself stops at 16 kB for address and headers together. */
const maxUrlLength = 8192;

/** The most characters of a path that an error repeats. */
const MOST_SHOWN = 128;

/** Returns a fresh `req_…`, unguessable, safe in headers, logs and addresses. */
export function newRequestId(): string {
  return `req_${randomBytes(12).toString('hex')}`;
}

/**
 * Refuses heads no honest client sends, before they are used: with two hosts, or an address that is overlong, has
 * percent signs that do not decode, or NUL (which Postgres text cannot hold).
 */
export function assertSaneHead(request: Request): void {
  const { url, headers, headersDistinct, httpVersion } = request;
  if (url.length > maxUrlLength) throw new AppError('uri_too_long');
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new AppError('malformed_request', { message: 'the Host header is missing' });
  }
  // Node takes the first, a proxy in front may have taken the other.
  if ((headersDistinct['host']?.length ?? 0) > 1) {
    throw new AppError('malformed_request', { message: 'the Host header is given twice' });
  }
  const address = decoded(url);
  if (address === undefined) {
    throw new AppError('malformed_request', { message: 'the address is not properly percent-encoded' });
  }
  if (address.includes('\0')) {
    throw new AppError('malformed_request', { message: 'the address has %00, which no text may contain' });
  }
}

function decoded(url: string): string | undefined {
  try {
    return decodeURIComponent(url);
  } catch {
    return undefined;
  }
}

/** Returns the text without what could mislead a reader of a log or a page, and not longer than an address should be. */
export function toShownPath(path: string): string {
  return path.replaceAll(/[^\w/.~%:@!$()*+,;=-]/g, '?').slice(0, MOST_SHOWN);
}

/** Returns the query of an address, without the question mark. */
export function readQuery(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

export function buildHead(
  request: Request,
  o: Pick<HttpHead, 'requestId' | 'signal' | 'setHeader' | 'note'>,
): HttpHead {
  const { method, url, headers, headersDistinct } = request;
  return {
    method,
    path: request.path,
    params: plainParams(request.params),
    query: new URLSearchParams(readQuery(url)),
    headers,
    headersDistinct,
    remoteAddress: request.ip ?? '',
    ...o,
  };
}

// No prototype: a parameter named __proto__ is an ordinary parameter.
function plainParams(params: Record<string, string | string[]>): Record<string, string> {
  const plain = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(params)) {
    plain[name] = Array.isArray(value) ? value.join('/') : value;
  }
  return plain;
}
