import type { GatewaySubject } from '@gp/testing';

/** Facts about Redsys that tests need beside its manifest. */
export const subject: GatewaySubject = {
  payer: {
    flow: 'redirect',
    findForm: ({ gateway_c_form }) => gateway_c_form ?? { url: '', body: {} },
    buildCardFields: (number) => ({
      card_number: number,
      expiry_month: '12',
      expiry_year: '2034',
      cvv: '123',
      pay: 'pay',
    }),
    buildCodeFields: (code) => ({ code }),
  },
  credentials: {
    account: 'merchant_code',
    key: 'secret_key',
    spoil: (key) => key.split('').reverse().join(''),
    isModeVisible: false,
  },
  unreported: ['lapse', 'dispute'],
  spans: ['POST /gateway_c/sis/rest/trataPeticionREST'],
};
