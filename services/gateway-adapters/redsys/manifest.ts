import {
  APPROVED,
  CHALLENGED,
  declineFor,
  defineManifest,
  listTestCards,
} from '@gp/gateway-registry/manifest';
import Type from '@gp/bundled/typebox';

const minute = 60_000;
const hour = 60 * minute;

/** The values, besides the card, by which the vendor's test host decides. */
export const magicValues = {
  /** The code that the issuer sends to the card holder's telephone. */
  rightCode: '123456',
  /** A security code that is always declined. */
  deniedCode: '999',
  /** The last two digits of amounts that are always declined. */
  deniedEndings: ['72', '73', '74', '96'],
} as const;

/**
 * Redsys: the payer's browser posts a signed form to the bank's page; captures and releases use its REST
 * interface.
 */
export const manifest = defineManifest({
  code: 'gateway_c',
  folder: 'redsys',
  title: 'Gateway C',
  vendor: 'Redsys',
  about: 'Payers go to the bank’s own page. Refunds are made at the bank.',
  flow: 'redirect',
  ledger: {
    // The bank's form lives 30 minutes and cannot be ended early: its slots stay reserved for that, and for two
    // queries after it.
    reservationTtlMs: 40 * minute,
    isCancellable: false,
    isRefundable: false,
    amountSteps: {},
    // Notifications may get lost. Only after the form's end does "no such order" mean that nobody paid.
    queriesMs: [2 * minute, 10 * minute, 31 * minute, 35 * minute],
    // The form's life begins when a browser posts it to the bank, which may be long after we issued it.
    lateQueriesMs: [65 * minute, 125 * minute, 6 * hour, 24 * hour],
  },
  credentials: [
    { name: 'merchant_code', label: 'Merchant code', isSecret: false },
    { name: 'terminal', label: 'Terminal', isSecret: false },
    { name: 'secret_key', label: 'Secret key', isSecret: true },
    // The address to which payers return; empty for none.
    { name: 'return_url', label: 'Return address', isSecret: false, isOptional: true },
    // The signature version of the terminal; empty for the usual one.
    { name: 'signature_version', label: 'Signature version', isSecret: false, isOptional: true },
  ],
  clientData: {
    title: 'GatewayCPayment',
    fields: {
      gateway_c_form: Type.Object(
        {
          url: Type.String({ description: 'Where to POST the form.' }),
          body: Type.Record(Type.String(), Type.String(), { description: 'Its hidden fields.' }),
        },
        { title: 'GatewayCForm' },
      ),
    },
    example: {
      gateway_c_form: {
        url: 'https://bank.example/sis/realizarPago',
        body: {
          Ds_SignatureVersion: 'HMAC_SHA256_V1',
          Ds_MerchantParameters: 'eyJEU19NRVJDSEFOVF9BTU9VTlQiOiIzMDAwIn0=',
          Ds_Signature: 'pu7CBgLyI8EYZ6z7DmuJVBDDVpv7DGPNtNc7pzYXFNQ=',
        },
      },
    },
    use: "Post the form to the bank's page",
  },
  page: { bank: { test: 'https://sis-t.redsys.es:25443', live: 'https://sis.redsys.es' } },
  // The vendor's test environment listens on a separate port.
  internetPorts: [443, 25443],
  hasReturns: true,
  sandbox: {
    behaviour: { hasPrepareCallbacks: false, hasPrepareAmount: true, hasLaterOutcomes: false },
    adapterSettings: { GATEWAY_TEST_URL: { port: 'main', path: '/gateway_c/sis' } },
    pageSettings: { GATEWAY_C_TEST_URL: { port: 'main', path: '' } },
  },
  testCards: listTestCards(
    [
      ['4548810000000003', APPROVED],
      // Its check digit is wrong, but the vendor accepts it.
      ['5576570000000004', APPROVED],
      ['4548816134581156', APPROVED],
      ['4918019160034602', APPROVED, '3-D Secure without a challenge'],
      ['4548814479727229', APPROVED, '3-D Secure without a challenge'],
      ['4918019199883839', CHALLENGED],
      ['4548817212493017', CHALLENGED],
      ['4548812049400004', CHALLENGED],
      ['4548816131164386', CHALLENGED],
      ['4907271141151707', { ...CHALLENGED, decline: 'generic_decline' }],
      ['5576440022788500', declineFor('generic_decline')],
      ['4907277775205123', declineFor('generic_decline')],
      ['1111111111111117', declineFor('generic_decline')],
    ],
    [
      `3-D Secure asks for a code: ${magicValues.rightCode} is right, any other is wrong.`,
      `An amount whose last two digits are ${magicValues.deniedEndings.join(', ')} is declined, whatever the card.`,
      `So is the security code ${magicValues.deniedCode}.`,
      'The gateway takes the number of a try once: after a decline, the next try has another number there.',
      'The cards of the other gateways mean the same here.',
    ],
  ),
});
