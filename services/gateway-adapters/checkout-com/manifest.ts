import { COMMON_TEST_CARDS, defineManifest, PAYER_NAME_PATTERN } from '@gp/gateway-registry/manifest';
import Type from '@gp/bundled/typebox';

const minute = 60_000;
const LIBRARY = 'https://js.evervault.com/v2';
const ORIGINS = [
  'https://keys.evervault.com',
  'https://api.evervault.com',
  'https://ui-components.evervault.com',
];

/**
 * The form of an encrypted field: `ev:[debug:]<version>:[<type>:]<iv>:<ephemeral key>:<ciphertext and tag>:$`, its parts
 * in base64. Thirteen digits in a row are a card number in clear; ciphertext has them once in 10⁸ cards.
 */
const CIPHERTEXT =
  '^ev:(?!.*[0-9](?:[+/=:]?[0-9]){12})(?:debug:)?[A-Za-z0-9+/]{4}:(?:(?:string|number|boolean):)?' +
  '[A-Za-z0-9+/]{16}:[A-Za-z0-9+/]{44}:[A-Za-z0-9+/]{22,}={0,2}:\\$$';

const encrypted = (description: string) =>
  Type.String({ pattern: CIPHERTEXT, maxLength: 2_048, description });

/** Checkout.com as card processor, behind Evervault, which encrypts cards in the browser and decrypts them on the way. */
export const manifest = defineManifest({
  code: 'gateway_b',
  folder: 'checkout-com',
  title: 'Gateway B',
  vendor: 'Checkout.com behind Evervault',
  about: 'Encrypted card field on our page, refunds from here.',
  flow: 'server_confirm',
  ledger: {
    reservationTtlMs: 15 * minute,
    isCancellable: false,
    isRefundable: true,
    amountSteps: {},
    queriesMs: [],
    lateQueriesMs: [],
  },
  credentials: [
    { name: 'team_id', label: 'Team id', isSecret: false },
    { name: 'app_id', label: 'App id', isSecret: false },
    { name: 'relay_api_key', label: 'Relay API key', isSecret: true },
    { name: 'processor_secret_key', label: 'Processor secret key', isSecret: true },
    { name: 'processing_channel_id', label: 'Processing channel id', isSecret: false },
    { name: 'webhook_secret', label: 'Webhook signing secret', isSecret: true },
  ],
  clientData: {
    title: 'GatewayBPayment',
    fields: {
      card_field_team_id: Type.String({ description: 'Public team id of the card-encryption field.' }),
      card_field_app_id: Type.String({ description: 'Public app id of the card-encryption field.' }),
    },
    example: { card_field_team_id: 'team_4f1c', card_field_app_id: 'app_9b2e' },
    use: 'Encrypt the card in the browser, then confirm',
  },
  card: Type.Object(
    {
      cardholder_name: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: PAYER_NAME_PATTERN,
        description: 'As on the card.',
      }),
      encrypted_card_number: encrypted('The card number as the card field encrypted it.'),
      expiration_month: Type.Integer({ minimum: 1, maximum: 12, description: 'Month of expiry.' }),
      expiration_year: Type.Integer({ minimum: 2000, maximum: 2100, description: 'Year of expiry.' }),
      encrypted_security_code: encrypted('The security code as the card field encrypted it.'),
    },
    { additionalProperties: false, title: 'EncryptedCard' },
  ),
  cardFaults: { [CIPHERTEXT]: 'must be encrypted by the card field (it then starts with ev:)' },
  page: {
    library: { script: { test: LIBRARY, live: LIBRARY }, origins: { test: ORIGINS, live: ORIGINS } },
    hasSandboxFrame: true,
  },
  hasReturns: true,
  sandbox: {
    ports: [{ name: 'relay', setting: 'RELAY_PORT', number: 8092, about: "gateway_b's CONNECT relay" }],
    behaviour: { hasPrepareCallbacks: false, hasPrepareAmount: false, hasLaterOutcomes: true },
    adapterSettings: {
      GATEWAY_TEST_URL: { port: 'main', path: '/gateway_b/processor' },
      RELAY_TEST_URL: { port: 'relay', path: '' },
    },
    pageSettings: { GATEWAY_B_TEST_FRAME: { port: 'main', path: '/gateway_b/field' } },
  },
  testCards: {
    ...COMMON_TEST_CARDS,
    notes: [
      ...COMMON_TEST_CARDS.notes,
      '3-D Secure needs a confirm with return_url: it answers with the page that asks yes or no. Without one such a card is refused.',
    ],
  },
});
