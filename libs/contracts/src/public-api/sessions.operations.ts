import { secretKey, type Operation } from './operation.ts';
import { CreateSessionRequest, SessionToken } from './sessions.ts';

/** Session tokens for a payer's browser. */
export const sessionOperations = {
  createSession: {
    id: 'createSession',
    method: 'POST',
    path: '/v1/group-payments/{id}/session',
    tag: 'Sessions',
    summary: 'Mint a token with which a browser can read and pay this group payment only',
    description:
      'Hand the token to the browser of a payer. It reads this group payment, pays and confirms, and nothing else. ' +
      'It shows the states of slots and nothing of who took them. Once the group payment can no longer be paid, ' +
      'new tokens only read. `customer_email` and `slot_ids` keep a page of yours to what it is for. They lock nothing: ' +
      'what the token reads has the `checkout_url`, and anybody who has that may pay any slot that is free.',
    accepts: secretKey,
    body: CreateSessionRequest,
    isBodyOptional: true,
    success: { status: 201, body: SessionToken },
    errors: ['invalid_slot_ids'],
  },
} as const satisfies Record<string, Operation>;
