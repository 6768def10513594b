import { validationError } from '@gp/errors';

/** The path to which browsers report what a page's content security policy refused. */
export const CSP_REPORTS = '/csp-reports';

/** What of a report is worth keeping: the directive, and the origin or the kind of what it refused. */
export type CspReport = { readonly directive: string; readonly blocked: string };

/** The directives of our policies; any other text becomes `other`, so that no stranger invents series. */
const DIRECTIVES = new Set([
  ...['default-src', 'base-uri', 'script-src', 'script-src-elem', 'script-src-attr', 'style-src'],
  ...['style-src-elem', 'style-src-attr', 'img-src', 'font-src', 'connect-src', 'frame-src', 'manifest-src'],
  ...['form-action', 'frame-ancestors', 'worker-src', 'media-src', 'object-src'],
]);
/** What browsers say in place of an address. */
const KINDS = new Set(['inline', 'eval', 'wasm-eval', 'self', 'data', 'blob', 'about']);
const MOST_REPORTS = 20;

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a body in either form: `{"csp-report": …}` of report-uri, or the list of report-to. Throws a validation error
 * for anything else.
 */
export function readCspReports(text: string): CspReport[] {
  const body = parse(text);
  if (isObject(body) && isObject(body['csp-report'])) return [toReport(body['csp-report'])];
  if (!Array.isArray(body)) throw validationError('body', 'must be a report of a browser');
  return body
    .slice(0, MOST_REPORTS)
    .filter((entry: unknown) => isObject(entry) && entry['type'] === 'csp-violation')
    .flatMap((entry: Json) => (isObject(entry['body']) ? [toReport(entry['body'])] : []));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw validationError('body', 'must be JSON');
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toReport(report: Json): CspReport {
  const named = report['effectiveDirective'] ?? report['effective-directive'] ?? report['violated-directive'];
  const directive = typeof named === 'string' ? (named.split(' ', 1)[0] ?? '') : '';
  return {
    directive: DIRECTIVES.has(directive) ? directive : 'other',
    blocked: describeBlocked(report['blockedURL'] ?? report['blocked-uri']),
  };
}

/** An address is cut to its origin: its path may hold the secret of a link. */
function describeBlocked(value: unknown): string {
  if (typeof value !== 'string') return 'unknown';
  if (KINDS.has(value)) return value;
  const url = URL.parse(value);
  if (url === null) return 'unknown';
  return url.origin === 'null' ? url.protocol : url.origin;
}
