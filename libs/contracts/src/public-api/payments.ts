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

const started = {
  payment_intent_id: Id('Needed for confirm, and to follow the payment.'),
  amount: ShownAmount('Sum of the slots, in currency units.'),
  currency: Currency,
  slot_ids: Type.Array(Uuid, { description: 'The slots this payment covers.' }),
  is_test_mode: Type.Boolean({ description: 'Whether no real money moves.' }),
};
const startedAt = <P extends PspCode>(psp_code: P) => ({
  psp_code: Type.Literal(psp_code, { description: "The merchant's active gateway." }),
  ...started,
});
const text = (description: string) => Type.String({ description });

const GatewayAPayment = Response('GatewayAPayment', {
  ...startedAt('gateway_a'),
  client_secret: text('What the card elements confirm with.'),
  gateway_a_account_id: text('The connected account.'),
  publishable_key: text("The platform's publishable key."),
});
const GatewayBPayment = Response('GatewayBPayment', {
  ...startedAt('gateway_b'),
  card_field_team_id: text('Public team id of the card-encryption field.'),
  card_field_app_id: text('Public app id of the card-encryption field.'),
});
const GatewayCPayment = Response('GatewayCPayment', {
  ...startedAt('gateway_c'),
  gateway_c_form: Response('GatewayCForm', {
    url: Type.String({ description: 'Where to POST the form.' }),
    body: Type.Record(Type.String(), Type.String(), { description: 'Its hidden fields.' }),
  }),
});

/** The fields of the merchant's active gateway, and of no other. */
export const PayResponse = Type.Unsafe<
  Static<typeof GatewayAPayment> | Static<typeof GatewayBPayment> | Static<typeof GatewayCPayment>
>({
  type: 'object',
  title: 'PayResponse',
  description: 'A payment that was started; `psp_code` decides which further fields there are.',
  discriminator: { propertyName: 'psp_code' },
  required: ['psp_code'],
  properties: { psp_code: PspCode },
  oneOf: [GatewayAPayment, GatewayBPayment, GatewayCPayment],
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
