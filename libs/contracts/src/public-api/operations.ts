import type { TSchema } from 'typebox';
import {
  CreateGroupPaymentRequest,
  CreateGroupPaymentResponse,
  ListGroupPaymentsQuery,
  ListGroupPaymentsResponse,
} from './group-payments.ts';
import { ConfirmRequest, ConfirmResponse, PayRequest, PayResponse } from './payments.ts';
import {
  CreatedWebhookEndpoint,
  CreateWebhookRequest,
  DeletedWebhookEndpoint,
  ListWebhooksResponse,
  UpdateWebhookRequest,
  WebhookEndpoint,
} from './webhooks.ts';

/** What may stand behind an Authorization header; session tokens join with their own endpoint. */
export type CredentialKind = 'secret_key';

/** One public operation: the source of its route and of its description. */
export type Operation = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** Who may call it; nobody else can. */
  readonly accepts: readonly CredentialKind[];
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly success: { readonly status: number; readonly body: TSchema };
  /**
   * Statuses of its errors beside those every operation can have (400 for a malformed address, 401, 413, 415,
   * 500, 503).
   */
  readonly errors: readonly number[];
  /** Whether it takes an Idempotency-Key. */
  readonly isIdempotent?: true;
};

const secretKey = ['secret_key'] as const;

/** Every operation of the public API, by its name. */
export const operations = {
  listGroupPayments: {
    id: 'listGroupPayments',
    method: 'GET',
    path: '/v1/group-payments',
    summary: 'List group payments, newest first',
    accepts: secretKey,
    query: ListGroupPaymentsQuery,
    success: { status: 200, body: ListGroupPaymentsResponse },
    errors: [400],
  },
  createGroupPayment: {
    id: 'createGroupPayment',
    method: 'POST',
    path: '/v1/group-payments',
    summary: 'Create a group payment',
    accepts: secretKey,
    body: CreateGroupPaymentRequest,
    success: { status: 201, body: CreateGroupPaymentResponse },
    errors: [400, 409, 422],
    isIdempotent: true,
  },
  getGroupPayment: {
    id: 'getGroupPayment',
    method: 'GET',
    path: '/v1/group-payments/{id}',
    summary: 'Get a group payment and its slots',
    accepts: secretKey,
    success: { status: 200, body: CreateGroupPaymentResponse },
    errors: [404],
  },
  payGroupPayment: {
    id: 'payGroupPayment',
    method: 'POST',
    path: '/v1/group-payments/{id}/pay',
    summary: 'Start a payment of one or more slots',
    accepts: secretKey,
    body: PayRequest,
    success: { status: 201, body: PayResponse },
    errors: [400, 404, 409, 422],
    isIdempotent: true,
  },
  confirmPayment: {
    id: 'confirmPayment',
    method: 'POST',
    path: '/v1/group-payments/{id}/confirm',
    summary: 'Authorise a payment with an encrypted card (gateway_b)',
    accepts: secretKey,
    body: ConfirmRequest,
    success: { status: 200, body: ConfirmResponse },
    errors: [400, 404, 409],
  },
  listWebhooks: {
    id: 'listWebhooks',
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'List webhook endpoints',
    accepts: secretKey,
    success: { status: 200, body: ListWebhooksResponse },
    errors: [],
  },
  createWebhook: {
    id: 'createWebhook',
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Register a webhook endpoint',
    accepts: secretKey,
    body: CreateWebhookRequest,
    success: { status: 201, body: CreatedWebhookEndpoint },
    errors: [400],
  },
  getWebhook: {
    id: 'getWebhook',
    method: 'GET',
    path: '/v1/webhooks/{id}',
    summary: 'Get a webhook endpoint',
    accepts: secretKey,
    success: { status: 200, body: WebhookEndpoint },
    errors: [404],
  },
  updateWebhook: {
    id: 'updateWebhook',
    method: 'PATCH',
    path: '/v1/webhooks/{id}',
    summary: 'Change a webhook endpoint',
    accepts: secretKey,
    body: UpdateWebhookRequest,
    success: { status: 200, body: WebhookEndpoint },
    errors: [400, 404],
  },
  deleteWebhook: {
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    summary: 'Delete a webhook endpoint',
    accepts: secretKey,
    success: { status: 200, body: DeletedWebhookEndpoint },
    errors: [404],
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
