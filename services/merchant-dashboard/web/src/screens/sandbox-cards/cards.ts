export type Card = { readonly number: string; readonly outcome: string };

export type Cards = {
  readonly gateways: string;
  readonly approved: readonly Card[];
  readonly asking: readonly Card[];
  readonly declined: readonly Card[];
  readonly notes: readonly string[];
};

const card = (number: string, outcome: string): Card => ({ number, outcome });

/** What the sandbox of gateways a and b answers to. */
const AB: Cards = {
  gateways: 'gateway_a and gateway_b',
  approved: [
    card('4242424242424242', 'approved'),
    card('5555555555554444', 'approved'),
    card('4000000000007726', 'approved; a refund succeeds later'),
    card('4000000000005126', 'approved; a refund fails later'),
  ],
  asking: [
    card('4000002760003184', '3-D Secure, then approved'),
    card('4000008400001629', '3-D Secure, then declined'),
    card('4000008260003178', '3-D Secure, then declined: insufficient funds'),
    card('4000008400001280', '3-D Secure cannot be reached: processing error'),
  ],
  declined: [
    card('4000000000000002', 'declined'),
    card('4000000000009995', 'declined: insufficient funds'),
    card('4000000000009987', 'declined: lost'),
    card('4000000000009979', 'declined: stolen'),
    card('4000000000000069', 'declined: expired'),
    card('4000000000000127', 'declined: wrong security code'),
    card('4000000000000119', 'processing error'),
    card('4000000000006975', 'declined: too many tries'),
    card('4000000000000341', 'declined'),
    card('4242424242424241', 'no such number'),
  ],
  notes: ['Any future expiry date and any security code will do.'],
};

/** What gateway_c's bank has beside those. */
const C: Cards = {
  gateways: 'gateway_c',
  approved: [
    card('4548810000000003', 'approved'),
    card('5576570000000004', 'approved'),
    card('4918019160034602', '3-D Secure without a question, approved'),
    card('4548814479727229', '3-D Secure without a question, approved'),
  ],
  asking: [
    card('4918019199883839', 'asks for a code, then approved'),
    card('4548817212493017', 'asks for a code, then approved'),
    card('4907271141151707', 'asks for a code, then declined'),
  ],
  declined: [card('5576440022788500', 'declined'), card('4907277775205123', 'declined')],
  notes: [
    'The code of 3-D Secure is 123456.',
    'Any card is declined with the security code 999, or an amount that ends in 72, 73, 74 or 96.',
    'The cards of the other gateways mean the same here.',
  ],
};

export const CARDS = [AB, C] as const;

/** A card number as it stands on a card. */
export const inFours = (number: string): string => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
