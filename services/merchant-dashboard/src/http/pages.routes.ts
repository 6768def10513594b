import { AppError } from '@gp/errors';
import { answerCompressed, compressAnswer, type HttpResponse, type Route } from '@gp/http';
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
      handle: async (request) => {
        const file = pages.files.get(request.path);
        if (!file) throw new AppError('route_not_found');
        const headers = { 'cache-control': `public, max-age=${YEAR_SECONDS}, immutable` };
        return answerCompressed(request, { status: 200, headers, contentType: file.type }, file);
      },
    },
    {
      method: 'GET',
      path: '/{*path}',
      admit: async (head) => setSecurityHeaders(head),
      handle: async (request) => {
        const { path } = request;
        if (path.startsWith('/api/')) throw new AppError('route_not_found');
        const file = pages.files.get(path);
        if (file && path !== '/index.html')
          return answerCompressed(request, { status: 200, contentType: file.type }, file);
        if (/\.[a-z0-9]+$/.test(path)) throw new AppError('route_not_found');
        return compressAnswer(request, page(pages));
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
