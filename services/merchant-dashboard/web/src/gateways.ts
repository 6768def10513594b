// Written by `npm run generate` from the registry of gateways.
import type { Cards, GatewayKind } from './gateway-kind.ts';

/** The gateways one can connect. */
export const GATEWAYS: readonly GatewayKind[] = [
  {
    psp: 'gateway_a',
    name: 'Gateway A',
    about: 'Card form on our page, 3-D Secure in place, refunds from here.',
    fields: [
      { name: 'account_id', label: 'Account id', isSecret: false },
      { name: 'publishable_key', label: 'Publishable key', isSecret: false },
      { name: 'secret_key', label: 'Secret key', isSecret: true },
      { name: 'webhook_secret', label: 'Webhook signing secret', isSecret: true },
    ],
  },
  {
    psp: 'gateway_b',
    name: 'Gateway B',
    about: 'Encrypted card field on our page, refunds from here.',
    fields: [
      { name: 'team_id', label: 'Team id', isSecret: false },
      { name: 'app_id', label: 'App id', isSecret: false },
      { name: 'relay_api_key', label: 'Relay API key', isSecret: true },
      { name: 'processor_secret_key', label: 'Processor secret key', isSecret: true },
      { name: 'processing_channel_id', label: 'Processing channel id', isSecret: false },
      { name: 'webhook_secret', label: 'Webhook signing secret', isSecret: true },
    ],
  },
  {
    psp: 'gateway_c',
    name: 'Gateway C',
    about: 'Payers go to the bank’s own page. Refunds are made at the bank.',
    fields: [
      { name: 'merchant_code', label: 'Merchant code', isSecret: false },
      { name: 'terminal', label: 'Terminal', isSecret: false },
      { name: 'secret_key', label: 'Secret key', isSecret: true },
      { name: 'return_url', label: 'Return address', isSecret: false },
      { name: 'signature_version', label: 'Signature version', isSecret: false },
    ],
  },
];

/** The sandbox's test cards; gateways with the same cards share an entry. */
export const CARDS: readonly Cards[] = [
  {
    gateways: 'gateway_a and gateway_b',
    approved: [
      { number: '4242424242424242', outcome: 'approved' },
      { number: '5555555555554444', outcome: 'approved' },
      { number: '378282246310005', outcome: 'approved' },
      { number: '4000000000007726', outcome: 'approved; a refund succeeds later' },
      { number: '4000000000005126', outcome: 'approved; a refund fails later' },
    ],
    challenged: [
      { number: '4000002760003184', outcome: '3-D Secure, then approved' },
      { number: '4000002500003155', outcome: '3-D Secure, then approved' },
      { number: '4000000000003220', outcome: '3-D Secure, then approved' },
      { number: '4000000000003063', outcome: '3-D Secure, then approved' },
      { number: '4000008400001629', outcome: '3-D Secure, then declined' },
      { number: '4000008260003178', outcome: '3-D Secure, then declined: insufficient funds' },
    ],
    declined: [
      { number: '4000000000000002', outcome: 'declined' },
      { number: '4000000000009995', outcome: 'declined: insufficient funds' },
      { number: '4000000000009987', outcome: 'declined: lost' },
      { number: '4000000000009979', outcome: 'declined: stolen' },
      { number: '4000000000000069', outcome: 'declined: expired' },
      { number: '4000000000000127', outcome: 'declined: wrong security code' },
      { number: '4000000000000119', outcome: 'declined: processing error' },
      { number: '4000008400001280', outcome: '3-D Secure cannot be reached, declined: processing error' },
      { number: '4000000000006975', outcome: 'declined: too many tries' },
      { number: '4000000000000341', outcome: 'declined' },
      { number: '4242424242424241', outcome: 'no such number' },
    ],
    notes: [
      'Any future expiry date and any security code will do.',
      'gateway_a: 3-D Secure opens over the page and asks yes or no.',
      'gateway_b: 3-D Secure needs a confirm with return_url: it answers with the page that asks yes or no. Without one such a card is refused.',
    ],
  },
  {
    gateways: 'gateway_c',
    approved: [
      { number: '4548810000000003', outcome: 'approved' },
      { number: '5576570000000004', outcome: 'approved' },
      { number: '4548816134581156', outcome: 'approved' },
      { number: '4918019160034602', outcome: '3-D Secure without a challenge, approved' },
      { number: '4548814479727229', outcome: '3-D Secure without a challenge, approved' },
    ],
    challenged: [
      { number: '4918019199883839', outcome: '3-D Secure, then approved' },
      { number: '4548817212493017', outcome: '3-D Secure, then approved' },
      { number: '4548812049400004', outcome: '3-D Secure, then approved' },
      { number: '4548816131164386', outcome: '3-D Secure, then approved' },
      { number: '4907271141151707', outcome: '3-D Secure, then declined' },
    ],
    declined: [
      { number: '5576440022788500', outcome: 'declined' },
      { number: '4907277775205123', outcome: 'declined' },
      { number: '1111111111111117', outcome: 'declined' },
    ],
    notes: [
      '3-D Secure asks for a code: 123456 is right, any other is wrong.',
      'An amount whose last two digits are 72, 73, 74, 96 is declined, whatever the card.',
      'So is the security code 999.',
      'The gateway takes the number of a try once: after a decline, the next try has another number there.',
      'The cards of the other gateways mean the same here.',
    ],
  },
];
