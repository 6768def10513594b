import Type, { type Static } from 'typebox';
import { PspCode, Uuid } from '../common.ts';
import { Currency, Id, Request, Response, ShownAmount } from './fields.ts';

export const PayRequest = Request('PayRequest', {
  customer_email: Type.String({
    format: 'email',
    maxLength: 320,
    description: 'Identifies the payer; a customer is created or reused for the merchant.',
  }),
  customer_name: Type.Optional(Type.String({ maxLength: 100, description: "The payer's name." })),
  slot_ids: Type.Optional(
    Type.Array(Uuid, {
      minItems: 1,
      maxItems: 30,
      description: 'The slots to pay. When omitted: all that are unassigned now.',
    }),
  ),
});
export type PayRequest = Static<typeof PayRequest>;

const text = (description: string) => Type.Optional(Type.String({ description }));

export const PayResponse = Response('PayResponse', {
  psp_code: {
    ...PspCode,
    description: "The merchant's active gateway; decides which further fields are present.",
  },
  payment_intent_id: Id('Needed for confirm, and to follow the payment.'),
  amount: ShownAmount('Sum of the slots, in currency units.'),
  currency: Currency,
  slot_ids: Type.Array(Uuid, { description: 'The slots this payment covers.' }),
  is_test_mode: Type.Boolean({ description: 'Whether no real money moves.' }),
  client_secret: text('gateway_a: what the card elements confirm with.'),
  gateway_a_account_id: text('gateway_a: the connected account.'),
  publishable_key: text("gateway_a: the platform's publishable key."),
  card_field_team_id: text('gateway_b: public team id of the card-encryption field.'),
  card_field_app_id: text('gateway_b: public app id of the card-encryption field.'),
  gateway_c_form: Type.Optional(
    Response('GatewayCForm', {
      url: Type.String({ description: 'Where to POST the form.' }),
      body: Type.Record(Type.String(), Type.String(), { description: 'Its hidden fields.' }),
    }),
  ),
});
export type PayResponse = Static<typeof PayResponse>;

const encrypted = (description: string) => Type.String({ pattern: '^ev:', description });

export const ConfirmRequest = Request('ConfirmRequest', {
  payment_intent_id: Id('From the pay response.'),
  card: Request('EncryptedCard', {
    cardholder_name: Type.String({ minLength: 1, maxLength: 100, description: 'As on the card.' }),
    encrypted_card_number: encrypted('The card number as the card field encrypted it.'),
    expiration_month: Type.Integer({ minimum: 1, maximum: 12, description: 'Month of expiry.' }),
    expiration_year: Type.Integer({ minimum: 2000, maximum: 2100, description: 'Year of expiry.' }),
    encrypted_security_code: encrypted('The security code as the card field encrypted it.'),
  }),
});
export type ConfirmRequest = Static<typeof ConfirmRequest>;

export const ConfirmResponse = Response('ConfirmResponse', {
  status: Type.Literal('preauthorised', { description: 'The amount is held on the card.' }),
});
