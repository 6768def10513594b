import express, { type Express } from 'express';
import { verifyWebhook, WebhookSignatureError, type WebhookEvent } from '@group-payments/client/webhooks';

/** An endpoint in an application of Express 5. */
export function createApp(secret: string, handle: (event: WebhookEvent) => Promise<void>): Express {
  const app = express();
  // Above `express.json()`, which would parse the body first: the signature belongs to the bytes.
  app.post('/webhooks', express.raw({ type: 'application/json' }), async (request, response) => {
    try {
      const rawBody = request.body as Buffer;
      await handle(await verifyWebhook({ rawBody, headers: request.headers, secret }));
      response.sendStatus(204);
    } catch (error) {
      response.sendStatus(error instanceof WebhookSignatureError ? 400 : 500);
    }
  });
  app.use(express.json());
  return app;
}
