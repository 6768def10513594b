import { secretKey, withSession, type Operation } from './operation.ts';
import {
  CreateGroupPaymentRequest,
  CreateGroupPaymentResponse,
  ListGroupPaymentsQuery,
  ListGroupPaymentsResponse,
  RolledCheckoutLink,
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
  rollCheckoutLink: {
    id: 'rollCheckoutLink',
    method: 'POST',
    path: '/v1/group-payments/{id}/roll-checkout-link',
    tag: 'Group payments',
    summary: 'Replace the checkout link of a group payment',
    description:
      'For a link that reached the wrong people. The old `checkout_url` answers 404 at once. Every session token of the ' +
      'group payment, your server’s included, and every page that is open ends within a second. Payments that were ' +
      'started keep their slots and their holds. A payer who is at the bank at that moment comes back to the old ' +
      'address; the payment counts all the same. Send the new link to your payers.',
    accepts: secretKey,
    success: { status: 200, body: RolledCheckoutLink },
    errors: [],
    isIdempotent: true,
    isExtension: true,
  },
} as const satisfies Record<string, Operation>;
