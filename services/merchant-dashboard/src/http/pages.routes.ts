import { AppError } from '@gp/errors';
import type { HttpResponse, Route } from '@gp/http';
import { CSP_REPORTS } from '@gp/service';
import type { Pages } from '../app/pages.ts';
import { newNonce, pagePolicy, setSecurityHeaders } from './request/headers.ts';

const YEAR_SECONDS = 31_536_000;
/** The placeholder in the page for the nonce of its styles. */
const NONCE = '__CSP_NONCE__';

/**
 * Routes of the web application: files whose names change with their content are cached for ever; every other
 * address returns the one page, whose script chooses the screen.
 */
export function pageRoutes(pages: Pages): Route[] {
  return [
    {
      method: 'GET',
      path: '/assets/*name',
      admit: async (head) => setSecurityHeaders(head),
      handle: async ({ path }) => {
        const file = pages.files.get(path);
        if (!file) throw new AppError('route_not_found');
        const headers = { 'cache-control': `public, max-age=${YEAR_SECONDS}, immutable` };
        return { status: 200, headers, contentType: file.type, body: file.bytes };
      },
    },
    {
      method: 'GET',
      path: '/{*path}',
      admit: async (head) => setSecurityHeaders(head),
      handle: async ({ path }) => {
        if (path.startsWith('/api/')) throw new AppError('route_not_found');
        const file = pages.files.get(path);
        if (file && path !== '/index.html') return { status: 200, contentType: file.type, body: file.bytes };
        if (/\.[a-z0-9]+$/.test(path)) throw new AppError('route_not_found');
        return page(pages);
      },
    },
  ];
}

function page({ html }: Pages): HttpResponse {
  if (html === undefined) throw new AppError('service_unavailable');
  const nonce = newNonce();
  return {
    status: 200,
    headers: {
      'content-security-policy': pagePolicy(nonce),
      'reporting-endpoints': `csp="${CSP_REPORTS}"`,
      'cache-control': 'no-store',
    },
    contentType: 'text/html; charset=utf-8',
    body: html.replaceAll(NONCE, nonce),
  };
}
