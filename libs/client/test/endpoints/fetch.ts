import { verifyWebhook, WebhookSignatureError, type WebhookEvent } from '@group-payments/client/webhooks';

/**
 * An endpoint for whatever answers a Request with a Response. In Next: `export const POST = createHandler(secret, handle);`
 * in app/webhooks/route.ts. In a worker: `export default { fetch: createHandler(secret, handle) };`.
 */
export function createHandler(secret: string, handle: (event: WebhookEvent) => Promise<void>) {
  return async (request: Request): Promise<Response> => {
    try {
      const rawBody = await request.arrayBuffer();
      await handle(await verifyWebhook({ rawBody, headers: request.headers, secret }));
      return new Response(null, { status: 204 });
    } catch (error) {
      return new Response(null, { status: error instanceof WebhookSignatureError ? 400 : 500 });
    }
  };
}
