import { pspCodesWithFlow } from '@gp/gateway-registry';
import { withSession, type Operation } from './operation.ts';
import { ConfirmRequest, ConfirmResponse, PayRequest, PayResponse } from './payments.ts';

/** Paying slots. */
export const paymentOperations = {
  payGroupPayment: {
    id: 'payGroupPayment',
    method: 'POST',
    path: '/v1/group-payments/{id}/pay',
    tag: 'Payments',
    summary: 'Start a payment of one or more slots',
    accepts: withSession,
    sessionScope: 'pay',
    body: PayRequest,
    success: { status: 201, body: PayResponse },
    errors: [
      'invalid_slot_ids',
      'amount_below_gateway_minimum',
      'amount_above_gateway_maximum',
      'currency_not_supported_by_gateway',
      'conflict',
      'group_expired',
      'group_not_payable',
      'no_payable_slots',
      'no_active_gateway',
      'outcome_unknown',
      'gateway_error',
      'gateway_unavailable',
    ],
    isIdempotent: true,
  },
  confirmPayment: {
    id: 'confirmPayment',
    method: 'POST',
    path: '/v1/group-payments/{id}/confirm',
    tag: 'Payments',
    summary: `Authorise a payment with an encrypted card (${pspCodesWithFlow('server_confirm').join(', ')})`,
    accepts: withSession,
    sessionScope: 'confirm',
    body: ConfirmRequest,
    success: { status: 200, body: ConfirmResponse },
    errors: [
      'card_declined',
      'authentication_required',
      'too_many_declines',
      'slot_no_longer_available',
      'confirm_not_supported',
      'conflict',
      'group_expired',
      'group_not_payable',
      'no_payable_slots',
      'no_active_gateway',
      'outcome_unknown',
      'gateway_error',
      'gateway_unavailable',
    ],
  },
} as const satisfies Record<string, Operation>;
