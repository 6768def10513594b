import { MOST_ENDPOINTS } from '../webhooks/endpoints.ts';
import { secretKey, type Operation } from './operation.ts';
import {
  CreatedWebhookEndpoint,
  CreateWebhookRequest,
  DeletedWebhookEndpoint,
  UpdateWebhookRequest,
  WebhookEndpoint,
  WebhookEndpointList,
} from './webhooks.ts';

/** Managing webhook endpoints. */
export const webhookOperations = {
  listWebhooks: {
    id: 'listWebhooks',
    method: 'GET',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    accepts: secretKey,
    success: { status: 200, body: WebhookEndpointList },
    errors: [],
  },
  createWebhook: {
    id: 'createWebhook',
    method: 'POST',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    summary: 'Register a webhook endpoint',
    description: `A merchant has at most ${MOST_ENDPOINTS} endpoints in each mode: one more is refused with 400 \`validation_error\` until another is deleted. The same address once more is a second endpoint with a secret of its own, which gets every event too: change the first one with PATCH instead.`,
    accepts: secretKey,
    body: CreateWebhookRequest,
    isLocated: true,
    success: { status: 201, body: CreatedWebhookEndpoint },
    errors: [],
  },
  getWebhook: {
    id: 'getWebhook',
    method: 'GET',
    path: '/v1/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Get a webhook endpoint',
    accepts: secretKey,
    success: { status: 200, body: WebhookEndpoint },
    errors: [],
  },
  updateWebhook: {
    id: 'updateWebhook',
    method: 'PATCH',
    path: '/v1/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Change a webhook endpoint',
    accepts: secretKey,
    body: UpdateWebhookRequest,
    success: { status: 200, body: WebhookEndpoint },
    errors: [],
  },
  deleteWebhook: {
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    accepts: secretKey,
    success: { status: 200, body: DeletedWebhookEndpoint },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
