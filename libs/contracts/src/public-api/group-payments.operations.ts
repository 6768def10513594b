import { secretKey, withSession, type Operation } from './operation.ts';
import {
  CreateGroupPaymentRequest,
  GetGroupPaymentQuery,
  GroupPaymentList,
  GroupPaymentWithSlots,
  ListGroupPaymentsQuery,
  RolledCheckoutLink,
  UpdateGroupPaymentRequest,
} from './group-payments.ts';
import { RolledOrganiserLink } from './organiser.ts';

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
    success: { status: 200, body: GroupPaymentList },
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
    isLocated: true,
    success: { status: 201, body: GroupPaymentWithSlots },
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
    query: GetGroupPaymentQuery,
    success: { status: 200, body: GroupPaymentWithSlots },
    errors: [],
  },
  updateGroupPayment: {
    id: 'updateGroupPayment',
    method: 'PATCH',
    path: '/v1/group-payments/{id}',
    tag: 'Group payments',
    summary: 'Change the name, the metadata or the expiry of a group payment',
    description:
      'The name and the metadata can be changed at any time; metadata is replaced as a whole. The expiry can only be moved ' +
      'to a later instant, at most 7 days after the creation, and only while the group payment collects: at or after the ' +
      'old expiry the answer is 409 `group_expired`. A later expiry renews no hold. A hold that ends at the gateway before ' +
      'the new expiry is given back two hours before its end, as in every group payment that stays open longer than its ' +
      'holds, and its slots can be paid again. Everything is changed or nothing. A change sends `group_payment.updated`; a ' +
      'request that changes nothing sends no event.',
    accepts: secretKey,
    body: UpdateGroupPaymentRequest,
    success: { status: 200, body: GroupPaymentWithSlots },
    errors: ['group_expired', 'group_not_payable', 'conflict'],
    isIdempotent: true,
    isExtension: true,
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
  rollOrganiserLink: {
    id: 'rollOrganiserLink',
    method: 'POST',
    path: '/v1/group-payments/{id}/roll-organiser-link',
    tag: 'Group payments',
    summary: 'Replace the organiser’s link of a group payment',
    description:
      'For a link that reached the wrong person. The old `organiser_url` answers 404 at once, and what was done with it ' +
      'stays done. Rights stay as they were given at creation. 404 for a group payment that has no organiser. The ' +
      '`checkout_url` stays as it is.',
    accepts: secretKey,
    success: { status: 200, body: RolledOrganiserLink },
    errors: [],
    isIdempotent: true,
    isExtension: true,
  },
  cancelGroupPayment: {
    id: 'cancelGroupPayment',
    method: 'POST',
    path: '/v1/group-payments/{id}/cancel',
    tag: 'Group payments',
    summary: 'Cancel a group payment that is still collecting',
    description:
      'Every hold is released and nobody is charged. Possible until the first capture is tried or the time has run out: ' +
      'afterwards 409 `group_not_payable`, or `group_expired` once `expires_at` has ended it, and where payments were ' +
      'captured a refund is the way to give the money back. A group payment that is cancelled already is answered as it is.',
    accepts: secretKey,
    success: { status: 200, body: GroupPaymentWithSlots },
    errors: ['group_expired', 'group_not_payable', 'conflict'],
    isIdempotent: true,
    isExtension: true,
  },
} as const satisfies Record<string, Operation>;
