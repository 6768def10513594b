import type { Route } from '@gp/http';
import { AppError } from '@gp/errors';
import type { Received } from '../app/receive-callback.ts';
import type { RawCallback } from '../gateway.ts';

/**
 * `POST /callbacks/<psp>`: 200 once the callback is stored (also when it was before, and when it is not about a
 * payment of ours), 400 for a forgery, 503 while it cannot be stored: then the gateway sends it again.
 */
export function callbackRoute(o: {
  psp: string;
  now: () => Date;
  receive: (callback: RawCallback) => Promise<Received>;
}): Route {
  return {
    method: 'POST',
    path: `/callbacks/${o.psp}`,
    jsonOnly: false,
    async handle({ rawBody: body, headers }) {
      const received = await o.receive({ body, headers, receivedAt: o.now() });
      if (received === 'forged') throw new AppError('malformed_request');
      return { status: 200, body: { received: true } };
    },
  };
}
