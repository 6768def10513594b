import type { TestCards } from './manifest-type.ts';
import { APPROVED, CHALLENGED, declineFor, INVALID_NUMBER, listTestCards } from './test-cards.ts';

/** The test numbers that many gateways share. The sandbox takes them at every gateway. */
export const COMMON_TEST_CARDS: TestCards = listTestCards(
  [
    ['4242424242424242', APPROVED],
    ['5555555555554444', APPROVED],
    ['378282246310005', APPROVED],
    ['4000000000007726', { ...APPROVED, refund: 'later' }],
    ['4000000000005126', { ...APPROVED, refund: 'fails_later' }],
    ['4000002760003184', CHALLENGED],
    ['4000002500003155', CHALLENGED],
    ['4000000000003220', CHALLENGED],
    ['4000000000003063', CHALLENGED],
    ['4000008400001629', { ...CHALLENGED, decline: 'generic_decline' }],
    ['4000008260003178', { ...CHALLENGED, decline: 'insufficient_funds' }],
    ['4000000000000002', declineFor('generic_decline')],
    ['4000000000009995', declineFor('insufficient_funds')],
    ['4000000000009987', declineFor('lost_card')],
    ['4000000000009979', declineFor('stolen_card')],
    ['4000000000000069', declineFor('expired_card')],
    ['4000000000000127', declineFor('incorrect_cvc')],
    ['4000000000000119', declineFor('processing_error')],
    ['4000008400001280', declineFor('processing_error'), '3-D Secure cannot be reached'],
    ['4000000000006975', declineFor('card_velocity_exceeded')],
    ['4000000000000341', declineFor('generic_decline')],
    ['4242424242424241', INVALID_NUMBER],
  ],
  ['Any future expiry date and any security code will do.'],
);
