import type { GatewaySubject } from '@gp/testing';

/** Facts about Checkout.com behind Evervault that tests need beside its manifest. */
export const subject: GatewaySubject = {
  payer: {
    flow: 'server_confirm',
    buildEncryption: ({ card_field_app_id }, value) => ({
      path: '/control/gateway_b/encrypt',
      body: { app: card_field_app_id, value },
    }),
    buildCard: async ({ holder, number }, encrypt) => ({
      cardholder_name: holder,
      encrypted_card_number: await encrypt(number),
      expiration_month: 12,
      expiration_year: 2034,
      encrypted_security_code: await encrypt('123'),
    }),
  },
  credentials: {
    account: 'processing_channel_id',
    key: 'processor_secret_key',
    spoil: (key) => `${key}x`,
    isModeVisible: true,
  },
  unreported: [],
  spans: ['POST /gateway_b/processor/payments', 'POST /gateway_b/processor/payments/:id/captures'],
};
