import { secretKey, withSession, type Operation } from './operation.ts';
import {
  CreateGroupPaymentRequest,
  CreateGroupPaymentResponse,
  ListGroupPaymentsQuery,
  ListGroupPaymentsResponse,
} from './group-payments.ts';

/** Creating and reading group payments. */
export const groupPaymentOperations = {
  listGroupPayments: {
    id: 'listGroupPayments',
    method: 'GET',
    path: '/v1/group-payments',
    tag: 'Group payments',
    summary: 'List group payments, newest first',
    accepts: secretKey,
    query: ListGroupPaymentsQuery,
    success: { status: 200, body: ListGroupPaymentsResponse },
    errors: [],
  },
  createGroupPayment: {
    id: 'createGroupPayment',
    method: 'POST',
    path: '/v1/group-payments',
    tag: 'Group payments',
    summary: 'Create a group payment',
    accepts: secretKey,
    body: CreateGroupPaymentRequest,
    success: { status: 201, body: CreateGroupPaymentResponse },
    errors: ['duplicate_merchant_order_id'],
    isIdempotent: true,
  },
  getGroupPayment: {
    id: 'getGroupPayment',
    method: 'GET',
    path: '/v1/group-payments/{id}',
    tag: 'Group payments',
    summary: 'Get a group payment and its slots',
    accepts: withSession,
    sessionScope: 'read',
    success: { status: 200, body: CreateGroupPaymentResponse },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
