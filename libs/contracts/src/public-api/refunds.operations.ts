import { secretKey, type Operation } from './operation.ts';
import { RefundRequest, RefundResponse } from './refunds.ts';

/** Refunding captured money. */
export const refundOperations = {
  refundGroupPayment: {
    id: 'refundGroupPayment',
    method: 'POST',
    path: '/v1/group-payments/{id}/refund',
    tag: 'Refunds',
    summary: 'Refund captured payments, all of them or those of some slots',
    description: `Refunds are made per payment, always for its whole amount. A payment that covers three slots is
refunded whole when \`slot_ids\` names one of them, and \`refunded_slot_ids\` then lists all three.

Answers within about 20 seconds. Look at \`failed\`: a payment whose gateway has not answered by then is listed there
with \`outcome unknown, being verified\`, the group payment stays \`refunding\` until it is known, and the webhooks tell
how it ended. Payments of a gateway that takes no refunds through the API are always in \`failed\`, as
the guide to gateways tells. Refunding everything also stops captures that have not been made yet.`,
    accepts: secretKey,
    body: RefundRequest,
    isBodyOptional: true,
    success: { status: 200, body: RefundResponse },
    otherwise: {
      status: 502,
      body: RefundResponse,
      description: 'No payment was refunded; `failed` says why, payment by payment.',
    },
    errors: ['invalid_slot_ids', 'nothing_to_refund', 'slots_not_captured', 'conflict'],
    isIdempotent: true,
  },
} as const satisfies Record<string, Operation>;
