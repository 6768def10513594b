import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookSignatureError, type WebhookEvent } from '@group-payments/client/webhooks';

/** An endpoint with nothing but Node: `createEndpoint(secret, handle).listen(3000)`. */
export function createEndpoint(secret: string, handle: (event: WebhookEvent) => Promise<void>): Server {
  return createServer((request, response) => {
    buffer(request)
      .then((rawBody) => verifyWebhook({ rawBody, headers: request.headers, secret }))
      .then(handle)
      .then(
        () => response.writeHead(204).end(),
        (error: unknown) => response.writeHead(error instanceof WebhookSignatureError ? 400 : 500).end(),
      );
  });
}
