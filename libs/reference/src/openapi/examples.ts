import { findManifest, forEachGateway, pspCodes } from '@gp/gateway-registry';
import type { JsonObject } from '../json.ts';

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

const equally = {
  group_name: 'Dinner at Casa Lola',
  total_amount: 90,
  currency: 'EUR',
  expires_at: '2030-01-01T20:00:00Z',
  metadata: { table: '12' },
  distribution: { type: 'equally', number_of_slots: 3 },
};
const custom = {
  ...equally,
  distribution: {
    type: 'custom',
    slots: [{ amount: 50.5, metadata: { seat: 'window' }, label: 'Starter and wine' }, { amount: 39.5 }],
  },
};
const payer = { customer_email: 'ana@example.com', customer_name: 'Ana Lima' };
const started = {
  payment_intent_id: '0198c0de-0000-7000-8000-0000000000b1',
  amount: 30,
  currency: 'EUR',
  slot_ids: ['0198c0de-0000-7000-8000-0000000000a1'],
  is_test_mode: true,
};

const times = { created_at: '2029-12-31T18:15:02.417Z', updated_at: '2029-12-31T18:15:02.417Z' };
const GROUP = '0198c0de-0000-7000-8000-000000000001';
const MERCHANT = 'mer_7Qd2mYx1';
/** What a creation of three equal shares answers. */
const created = {
  group_payment: {
    ...{ id: GROUP, merchant_id: MERCHANT, group_name: equally.group_name },
    ...{ merchant_order_id: '2041-8K3F9Q2M', client_reference: null, total_amount: 90, currency: 'EUR' },
    ...{ expires_at: '2030-01-01T20:00:00.000Z', state: 'open', metadata: equally.metadata, ...times },
  },
  payment_slots: ['a1', 'a2', 'a3'].map((end, index) => ({
    ...{ id: `0198c0de-0000-7000-8000-0000000000${end}`, merchant_id: MERCHANT, group_payment_id: GROUP },
    ...{ sequence_no: index + 1, assigned_customer_id: null, amount: 30, currency: 'EUR' },
    ...{ state: 'unassigned', metadata: {}, ...times },
  })),
  checkout_url: 'https://pay.example.com/c/3q2-7wX0aB9kLmN4pQrS5t',
};

const tested = {
  ...started,
  group_payment_id: GROUP,
  psp_code: pspCodes[0],
  state: 'preauthorised',
  is_outcome_unknown: false,
  is_disputed: false,
  amount_captured: 0,
  amount_refunded: 0,
  customer_id: '0198c0de-0000-7000-8000-0000000000f1',
  ...payer,
  gateway_reference: 'pi_3NkY2eLkdIwHu7ix',
  failure: null,
  created_at: '2029-12-31T18:15:02.417Z',
};

const withoutRefunds = pspCodes.find((code) => !findManifest(code).ledger.isRefundable) ?? pspCodes[0];
const OTHER_PAYMENT = '0198c0de-0000-7000-8000-0000000000b2';
const refunded = {
  refunded_payment_intents: [started.payment_intent_id],
  refunded_slot_ids: started.slot_ids,
  failed: [],
  group_state: 'refunded',
};
const refused = {
  payment_intent_id: OTHER_PAYMENT,
  psp_code: withoutRefunds,
  code: 'refund_unavailable',
  error: `refunds through the API are unavailable for ${withoutRefunds}: refund it in the gateway's own dashboard`,
};

const settled = {
  now: '2029-12-31T19:15:02.417Z',
  ahead_seconds: 3_600,
  remaining_seconds: 0,
  state: 'settled',
};

/** Bodies of requests that show more than one sample could. */
export const requestExamples: Readonly<Record<string, Examples>> = {
  createGroupPayment: {
    equally: { summary: 'Three equal shares', value: equally },
    custom: { summary: 'Shares of different size', value: custom },
    organised: {
      summary: 'With a link for an organiser',
      value: { ...equally, organiser: { may: ['remind', 'extend', 'cancel'] } },
    },
  },
  payGroupPayment: {
    some: { summary: 'Chosen slots', value: { ...payer, slot_ids: started.slot_ids } },
    all: { summary: 'Everything that is unassigned', value: payer },
  },
  createTestPayment: {
    approved: { summary: 'A card that is approved', value: { ...payer, slot_ids: started.slot_ids } },
    declined: { summary: 'A card without funds', value: { ...payer, card: 'insufficient_funds' } },
    all: { summary: 'All slots that are free', value: payer },
  },
};

/** The same for the bodies of successes. */
export const responseExamples: Readonly<Record<string, Examples>> = {
  createGroupPayment: { equally: { summary: 'Three equal shares', value: created } },
  payGroupPayment: forEachGateway(({ clientData }, psp_code) => ({
    summary: clientData.use,
    value: { psp_code, ...started, ...clientData.example },
  })),
  createTestPayment: {
    held: { summary: 'The amount is held', value: tested },
    declined: {
      summary: 'The card was declined',
      value: {
        ...tested,
        state: 'failed',
        failure: { code: 'card_declined', message: 'the card has insufficient funds', retryable: false },
      },
    },
  },
  refundGroupPayment: {
    all: { summary: 'Everything that was asked for went back', value: refunded },
    some: {
      summary: 'One payment went back, another was refused',
      value: { ...refunded, failed: [refused], group_state: 'partially_refunded' },
    },
  },
  getTestClock: { settled: { summary: 'An hour ahead, all of it done', value: settled } },
  advanceTestClock: {
    advancing: {
      summary: 'An hour to go',
      value: {
        now: '2029-12-31T18:15:02.417Z',
        ahead_seconds: 0,
        remaining_seconds: 3_600,
        state: 'advancing',
      },
    },
  },
  resetTestClock: {
    begun: {
      summary: 'Answered before the clock has gone back',
      value: { ...settled, state: 'advancing' },
    },
    at_rest: {
      summary: 'A clock that was never advanced',
      value: { ...settled, now: '2029-12-31T18:15:02.417Z', ahead_seconds: 0 },
    },
  },
};

/** The same for the bodies of responses that are neither success nor an error body. */
export const otherExamples: Readonly<Record<string, Examples>> = {
  refundGroupPayment: {
    none: {
      summary: 'The gateway refused all',
      value: {
        refunded_payment_intents: [],
        refunded_slot_ids: [],
        failed: [refused],
        group_state: 'refund_failed',
      },
    },
  },
};

/** Returns the examples of an operation's body in the document's form; one sample where none is written. */
export function shownExamples(written: Examples | undefined, sample: unknown): JsonObject {
  return written ?? { example: { summary: 'Example', value: sample } };
}
