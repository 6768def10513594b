import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { HttpHead, Route } from '@gp/http';
import helmet from 'helmet';

/**
 * What helmet says, but for the policy on content, which is our own. Asked once: it is the same for every answer.
 */
const usual = headersOfHelmet();

/** Answers of routes are data: nothing in them is to be run, shown in a frame, or fetched for. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Puts the security headers on every answer of these routes, refusals included. */
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

/** Script, style and data from here alone; `nonce` is for the styles that the component library writes into the page. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    // Charts measure their labels with a style attribute; an attribute runs nothing and fetches nothing.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export const newNonce = (): string => randomBytes(16).toString('base64');

function headersOfHelmet(): ReadonlyMap<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const apply = helmet({ contentSecurityPolicy: false, xFrameOptions: { action: 'deny' } });
  apply(request, response, () => undefined);
  return new Map(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}
