import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { HttpHead, Route } from '@gp/http';
import { CSP_REPORTS } from '@gp/service';
import helmet from 'helmet';

/**
 * The headers helmet sets, except two: the content security policy is our own, and the server itself demands https.
 * Computed once: they are the same for every response.
 */
const usual = headersOfHelmet();

/** Responses of routes are data: a browser must not run them, frame them, or load anything for them. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Sets the security headers on every response of these routes, refusals included. */
export function withSecurityHeaders(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({
    ...route,
    async admit(head: HttpHead) {
      setSecurityHeaders(head);
      return route.admit?.(head);
    },
  }));
}

export function setSecurityHeaders({ setHeader }: HttpHead, policy: string = DATA_POLICY): void {
  for (const [name, value] of usual) setHeader(name, value);
  setHeader('Content-Security-Policy', policy);
}

/**
 * Allows script, style and data from this origin alone; `nonce` is for the styles that the component library
 * writes into the page.
 */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    // Charts measure their labels with a style attribute; an attribute cannot run or load anything.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Browsers that know the second one leave out the first.
    `report-uri ${CSP_REPORTS}`,
    'report-to csp',
  ].join('; ');
}

export const newNonce = (): string => randomBytes(16).toString('base64');

function headersOfHelmet(): ReadonlyMap<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const apply = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
  apply(request, response, () => undefined);
  return new Map(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}
