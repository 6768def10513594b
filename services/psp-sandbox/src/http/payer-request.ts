import { notFound, type AppError } from '@gp/errors';
import type { HttpRequest } from '@gp/http';

/** Returns the refusal of a played payer whose payment is on no account of the sandbox. */
export const unknownPayment = (): AppError => notFound('payment');

/** Returns the request that a payer's browser would send with a form; `params` are those of the route's path. */
export function payerRequest(o: {
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}): HttpRequest {
  return {
    method: 'POST',
    path: o.path,
    params: o.params ?? {},
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    requestId: 'req_played_payer',
    headersDistinct: {},
    remoteAddress: '127.0.0.1',
    signal: o.signal,
    setHeader: () => undefined,
    note: () => undefined,
    rawBody: Buffer.from(new URLSearchParams(o.fields).toString()),
  };
}
