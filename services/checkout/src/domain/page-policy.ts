import type { Sources } from './gateway-parts.ts';

export type PagePolicy = {
  /** Our own address, without a slash at the end. */
  readonly home: string;
  readonly api: string;
  readonly gateway: Sources;
  /** Origins of pages that may hold this one in a frame; empty for most pages. */
  readonly framedBy: readonly string[];
  readonly nonce: string;
  /** Path to which browsers report what the policy refused. */
  readonly reports: string;
};

/**
 * Returns the headers of every page. They name one by one what a page may load, call, hold in frames and post to,
 * so that only the active gateway is allowed; the page is not cached or indexed, and sends no referrer.
 */
export function pageHeaders(o: PagePolicy): Record<string, string> {
  const isSecure = o.home.startsWith('https:');
  return {
    'Content-Security-Policy': contentSecurityPolicy(o, isSecure),
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex, nofollow, noarchive',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-DNS-Prefetch-Control': 'off',
    'X-Permitted-Cross-Domain-Policies': 'none',
    'Origin-Agent-Cluster': '?1',
    'Permissions-Policy': permissions(o.gateway),
    ...(o.framedBy.length === 0 && {
      'X-Frame-Options': 'DENY',
      'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
      'Cross-Origin-Resource-Policy': 'same-origin',
    }),
    'Reporting-Endpoints': `csp="${o.reports}"`,
  };
}

function contentSecurityPolicy(
  { home, api, gateway, framedBy, nonce, reports }: PagePolicy,
  isSecure: boolean,
): string {
  const assets = `${home}/assets/`;
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'base-uri': ["'none'"],
    // Scripts: ours by nonce, their imports by folder, the gateway's by origin.
    'script-src': [`'nonce-${nonce}'`, assets, ...gateway.script],
    'style-src': [`'nonce-${nonce}'`, assets],
    'img-src': [assets, `${home}/logos/`, 'data:'],
    'font-src': [assets],
    'connect-src': [home, api, ...gateway.connect],
    'frame-src': orNone(gateway.frame),
    'form-action': orNone(gateway.form),
    'frame-ancestors': orNone(framedBy),
    ...(isSecure && { 'upgrade-insecure-requests': [] }),
    // Browsers that know the second one leave out the first.
    'report-uri': [reports],
    'report-to': ['csp'],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...new Set(sources)].join(' '))
    .join('; ');
}

const orNone = (sources: readonly string[]): readonly string[] =>
  sources.length === 0 ? ["'none'"] : sources;

/** Lets the gateway's frames request the browser's own payment sheet; every other feature is off for all. */
function permissions({ frame }: Sources): string {
  const off = [
    'accelerometer',
    'camera',
    'display-capture',
    'geolocation',
    'gyroscope',
    'microphone',
    'midi',
    'usb',
  ];
  // The list takes whole origins only.
  const payment = ['self', ...frame.filter((origin) => !origin.includes('*')).map((origin) => `"${origin}"`)];
  return [...off.map((feature) => `${feature}=()`), `payment=(${payment.join(' ')})`].join(', ');
}
