import { COMMON_TEST_CARDS, defineManifest } from '@gp/gateway-registry/manifest';
import Type from '@gp/bundled/typebox';

const minute = 60_000;
const LIBRARY = 'https://js.stripe.com/endive/stripe.js';
const ORIGINS = ['https://api.stripe.com', 'https://hooks.stripe.com', 'https://*.js.stripe.com'];

/** Stripe's PaymentIntents with manual capture, on the merchant's connected account. */
export const manifest = defineManifest({
  code: 'gateway_a',
  folder: 'stripe',
  title: 'Gateway A',
  vendor: 'Stripe',
  about: 'Card form on our page, 3-D Secure in place, refunds from here.',
  flow: 'embedded',
  ledger: {
    reservationTtlMs: 15 * minute,
    isCancellable: true,
    isRefundable: true,
    // Of three decimals the last must be 0; MGA is charged in whole units, although ISO 4217 gives it two decimals.
    amountSteps: { byCurrency: { MGA: 100 }, byExponent: { 3: 10 } },
    // Callbacks arrive within seconds: after two minutes the callback was lost, or the payer is still typing.
    queriesMs: [2 * minute, 7 * minute, 22 * minute, 52 * minute],
    // An unknown payment means that its preparation failed; a retry of the merchant may have created it after all.
    lateQueriesMs: [7 * minute, 22 * minute, 52 * minute],
  },
  credentials: [
    { name: 'account_id', label: 'Account id', isSecret: false },
    { name: 'publishable_key', label: 'Publishable key', isSecret: false },
    { name: 'secret_key', label: 'Secret key', isSecret: true },
    { name: 'webhook_secret', label: 'Webhook signing secret', isSecret: true },
  ],
  clientData: {
    title: 'GatewayAPayment',
    fields: {
      client_secret: Type.String({ description: 'What the card elements confirm with.' }),
      gateway_a_account_id: Type.String({ description: 'The connected account.' }),
      publishable_key: Type.String({ description: "The platform's publishable key." }),
    },
    example: {
      client_secret: 'pi_3Q7nGk_secret_9dKx',
      gateway_a_account_id: 'acct_1Q7nGk',
      publishable_key: 'pk_test_51Q7nGk',
    },
    use: 'Confirm in the browser with card elements',
  },
  page: { library: { script: { test: LIBRARY, live: LIBRARY }, origins: { test: ORIGINS, live: ORIGINS } } },
  sandbox: {
    ports: [
      {
        name: 'gateway-a',
        setting: 'GATEWAY_A_PORT',
        number: 8091,
        about: "gateway_a's API without a prefix, for its SDK",
      },
    ],
    behaviour: { hasPrepareCallbacks: true, hasPrepareAmount: true, hasLaterOutcomes: true },
    adapterSettings: { GATEWAY_TEST_URL: { port: 'gateway-a', path: '' } },
    pageSettings: {
      GATEWAY_A_TEST_SCRIPT: { port: 'main', path: '/gateway_a/js' },
      GATEWAY_A_TEST_ORIGINS: { port: 'gateway-a', path: '' },
    },
  },
  testCards: {
    ...COMMON_TEST_CARDS,
    notes: [...COMMON_TEST_CARDS.notes, '3-D Secure opens over the page and asks yes or no.'],
  },
});
