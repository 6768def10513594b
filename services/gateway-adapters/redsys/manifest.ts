import { defineManifest } from '@gp/gateway-registry/manifest';
import Type from 'typebox';

const minute = 60_000;
const hour = 60 * minute;

/** Redsys: the payer's browser brings a signed form to the bank's page; captures and releases go over its REST interface. */
export const manifest = defineManifest({
  code: 'gateway_c',
  folder: 'redsys',
  title: 'Gateway C',
  vendor: 'Redsys',
  about: 'Payers go to the bank’s own page. Refunds are made at the bank.',
  flow: 'redirect',
  ledger: {
    // The bank's form lives 30 minutes and cannot be ended: its slots wait for that, and for two questions after it.
    reservationTtlMs: 40 * minute,
    isCancellable: false,
    isRefundable: false,
    amountSteps: {},
    // Notifications do get lost. Only after the form's end does "no such order" mean that nobody paid.
    questionsMs: [2 * minute, 10 * minute, 31 * minute, 35 * minute],
    // The form's life begins when a browser brings it to the bank, which may be long after we gave it out.
    recallsMs: [65 * minute, 125 * minute, 6 * hour, 24 * hour],
  },
  credentials: [
    { name: 'merchant_code', label: 'Merchant code', isSecret: false },
    { name: 'terminal', label: 'Terminal', isSecret: false },
    { name: 'secret_key', label: 'Secret key', isSecret: true },
    { name: 'return_url', label: 'Return address', isSecret: false, isOptional: true },
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
  },
  page: { bank: { test: 'https://sis-t.redsys.es:25443', live: 'https://sis.redsys.es' } },
  // The vendor's test environment listens on a port of its own.
  internetPorts: [443, 25443],
  hasReturns: true,
  sandbox: {
    behaviour: { hasPrepareCallbacks: false, hasPrepareAmount: true, hasLaterOutcomes: false },
    adapterSettings: { GATEWAY_TEST_URL: { port: 'main', path: '/gateway_c/sis' } },
    pageSettings: { GATEWAY_C_TEST_URL: { port: 'main', path: '' } },
  },
  testCards: {
    approved: [
      { number: '4548810000000003', outcome: 'approved' },
      { number: '5576570000000004', outcome: 'approved' },
      { number: '4918019160034602', outcome: '3-D Secure without a question, approved' },
      { number: '4548814479727229', outcome: '3-D Secure without a question, approved' },
    ],
    challenged: [
      { number: '4918019199883839', outcome: 'asks for a code, then approved' },
      { number: '4548817212493017', outcome: 'asks for a code, then approved' },
      { number: '4907271141151707', outcome: 'asks for a code, then declined' },
    ],
    declined: [
      { number: '5576440022788500', outcome: 'declined' },
      { number: '4907277775205123', outcome: 'declined' },
    ],
    notes: [
      'The code of 3-D Secure is 123456.',
      'Any card is declined with the security code 999, or an amount that ends in 72, 73, 74 or 96.',
      'The cards of the other gateways mean the same here.',
    ],
  },
});
