import type { TestCards } from './manifest-type.ts';

/** The test numbers that many gateways share. The sandbox takes them at every gateway. */
export const COMMON_TEST_CARDS: TestCards = {
  approved: [
    { number: '4242424242424242', outcome: 'approved' },
    { number: '5555555555554444', outcome: 'approved' },
    { number: '4000000000007726', outcome: 'approved; a refund succeeds later' },
    { number: '4000000000005126', outcome: 'approved; a refund fails later' },
  ],
  challenged: [
    { number: '4000002760003184', outcome: '3-D Secure, then approved' },
    { number: '4000008400001629', outcome: '3-D Secure, then declined' },
    { number: '4000008260003178', outcome: '3-D Secure, then declined: insufficient funds' },
    { number: '4000008400001280', outcome: '3-D Secure cannot be reached: processing error' },
  ],
  declined: [
    { number: '4000000000000002', outcome: 'declined' },
    { number: '4000000000009995', outcome: 'declined: insufficient funds' },
    { number: '4000000000009987', outcome: 'declined: lost' },
    { number: '4000000000009979', outcome: 'declined: stolen' },
    { number: '4000000000000069', outcome: 'declined: expired' },
    { number: '4000000000000127', outcome: 'declined: wrong security code' },
    { number: '4000000000000119', outcome: 'processing error' },
    { number: '4000000000006975', outcome: 'declined: too many tries' },
    { number: '4000000000000341', outcome: 'declined' },
    { number: '4242424242424241', outcome: 'no such number' },
  ],
  notes: ['Any future expiry date and any security code will do.'],
};
