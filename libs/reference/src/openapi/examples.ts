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
    slots: [{ amount: 50.5, metadata: { seat: 'window' } }, { amount: 39.5 }],
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

/** Bodies of requests that say more than one sample could. */
export const requestExamples: Readonly<Record<string, Examples>> = {
  createGroupPayment: {
    equally: { summary: 'Three equal shares', value: equally },
    custom: { summary: 'Shares of different size', value: custom },
  },
  payGroupPayment: {
    some: { summary: 'Chosen slots', value: { ...payer, slot_ids: started.slot_ids } },
    all: { summary: 'Everything that is unassigned', value: payer },
  },
};

/** The same for the bodies of successes. */
export const responseExamples: Readonly<Record<string, Examples>> = {
  payGroupPayment: {
    gateway_a: {
      summary: 'Confirm in the browser with card elements',
      value: {
        psp_code: 'gateway_a',
        ...started,
        client_secret: 'pi_3Q7nGk_secret_9dKx',
        gateway_a_account_id: 'acct_1Q7nGk',
        publishable_key: 'pk_test_51Q7nGk',
      },
    },
    gateway_b: {
      summary: 'Encrypt the card in the browser, then confirm',
      value: {
        psp_code: 'gateway_b',
        ...started,
        card_field_team_id: 'team_4f1c',
        card_field_app_id: 'app_9b2e',
      },
    },
    gateway_c: {
      summary: "Post the form to the bank's page",
      value: {
        psp_code: 'gateway_c',
        ...started,
        gateway_c_form: {
          url: 'https://bank.example/sis/realizarPago',
          body: {
            Ds_SignatureVersion: 'HMAC_SHA256_V1',
            Ds_MerchantParameters: 'eyJEU19NRVJDSEFOVF9BTU9VTlQiOiIzMDAwIn0=',
            Ds_Signature: 'pu7CBgLyI8EYZ6z7DmuJVBDDVpv7DGPNtNc7pzYXFNQ=',
          },
        },
      },
    },
  },
};

/** The examples of an operation's body as the document wants them; one sample where nobody wrote any. */
export function shownExamples(written: Examples | undefined, sample: unknown): JsonObject {
  return written ?? { example: { summary: 'Example', value: sample } };
}
