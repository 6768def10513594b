import { findManifest, pspCodes, type Card, type ClientDataOf } from '@gp/gateway-registry';
import { OPTIONAL_PAYER_NAME_PATTERN } from '@gp/primitives';
import Type, { type Static, type TObject } from '@gp/bundled/typebox';
import { Uuid, type PspCode } from '../common.ts';
import { PAYER_CARDS } from '../sandbox/payers.ts';
import { customerEmail, CustomerListItem, customerName } from './customers.ts';
import {
  Choice,
  Currency,
  Cursor,
  CursorPagination,
  DateTime,
  Gateway,
  Id,
  PaymentState,
  Request,
  Response,
  ShownAmount,
  textOrNull,
  TimeZone,
} from './fields.ts';
import { shownTip, tip } from './tips.ts';

export const PayRequest = Request('PayRequest', {
  customer_email: Type.String({
    format: 'email',
    maxLength: 320,
    description: 'Identifies the payer; a customer is created or reused for the merchant.',
  }),
  customer_name: Type.Optional(
    Type.String({ maxLength: 100, pattern: OPTIONAL_PAYER_NAME_PATTERN, description: "The payer's name." }),
  ),
  show_name: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Shows `customer_name` at the slots to whoever has the link. Needs `customer_name`.',
    }),
  ),
  slot_ids: Type.Optional(
    Type.Array(Uuid, {
      minItems: 1,
      maxItems: 30,
      description: 'The slots to pay. When omitted: all that are unassigned now.',
    }),
  ),
  tip,
  time_zone: Type.Optional(
    TimeZone(
      "The payer's time zone, in which times in mails to the payer are written; a name that is not known here is ignored.",
    ),
  ),
});
export type PayRequest = Static<typeof PayRequest>;

export const TestPaymentRequest = Request('TestPaymentRequest', {
  ...PayRequest.properties,
  card: Type.Optional({
    ...Choice('TestCard', PAYER_CARDS),
    default: 'approved',
    description:
      'What becomes of the card; there is no number to it. `authenticated`: the payer passes 3-D Secure and is approved. ' +
      '`authentication_failed`: the payer does not pass it. The others are approved or declined at once.',
  }),
});
export type TestPaymentRequest = Static<typeof TestPaymentRequest>;

const started = {
  payment_intent_id: Id('Needed for confirm, and to follow the payment.'),
  amount: ShownAmount('Sum of the slots and the tip, in currency units.'),
  tip: shownTip,
  currency: Currency,
  slot_ids: Type.Array(Uuid, { description: 'The slots this payment covers.' }),
  is_test_mode: Type.Boolean({ description: 'Whether no real money moves.' }),
};
const startedAt = <P extends PspCode>(psp_code: P) => ({
  psp_code: Type.Literal(psp_code, { description: "The merchant's active gateway." }),
  ...started,
});

type Started<C extends PspCode> = Static<TObject<ReturnType<typeof startedAt<C>>>> & ClientDataOf<C>;

/** The response for one gateway: the fields of every payment, and those that the manifest's card form needs. */
const startedWith = (code: PspCode) => {
  const { title, fields } = findManifest(code).clientData;
  return Response(title, { ...startedAt(code), ...fields });
};

/** The fields of the merchant's active gateway, and of no other. */
export const PayResponse = Type.Unsafe<{ [C in PspCode]: Started<C> }[PspCode]>({
  type: 'object',
  title: 'PayResponse',
  description: 'A payment that was started; `psp_code` decides which further fields there are.',
  discriminator: { propertyName: 'psp_code' },
  required: ['psp_code'],
  properties: { psp_code: Gateway },
  oneOf: pspCodes.map(startedWith),
});
export type PayResponse = Static<typeof PayResponse>;

const cards = pspCodes.flatMap((code) => findManifest(code).card ?? []);

export const ConfirmRequest = Request('ConfirmRequest', {
  payment_intent_id: Id('From the pay response.'),
  card: Type.Unsafe<Card>(cards.length === 1 && cards[0] ? cards[0] : Type.Union(cards)),
  return_url: Type.Optional(
    Type.String({
      format: 'uri',
      maxLength: 2_000,
      description:
        'The page the payer comes back to when the card issuer wants to authenticate the payer at a page of its own: on a registered ' +
        'origin of yours, or the `checkout_url`. Without it such a card is refused with `authentication_required`.',
    }),
  ),
});
export type ConfirmRequest = Static<typeof ConfirmRequest>;

const NextAction = Response('NextAction', {
  type: Type.Literal('redirect', { description: "Send the payer's browser to `url`." }),
  url: Type.String({ format: 'uri', description: "The card issuer's page; it is for this payer only." }),
});

export const ConfirmResponse = Response('ConfirmResponse', {
  status: {
    ...Choice('ConfirmStatus', ['preauthorised', 'requires_action']),
    description:
      '`preauthorised`: the amount is held on the card. `requires_action`, only after a request with `return_url`: the payer follows `next_action`.',
  },
  next_action: Type.Optional(NextAction),
});
export type ConfirmResponse = Static<typeof ConfirmResponse>;

const failureReason = Response('FailureReason', {
  code: Type.String({
    description: 'Why, for a program: `card_declined`, or one of those that the guide to errors lists.',
  }),
  message: Type.String({ description: 'Why, for a person.' }),
  retryable: Type.Boolean({
    description: 'Whether the same may succeed later by itself. A payer may always start another payment.',
  }),
});

export const Payment = Response('Payment', {
  payment_intent_id: Id('The payment.'),
  group_payment_id: Id('The group payment it belongs to.'),
  psp_code: { ...Gateway, description: 'The gateway that carries it.' },
  state: {
    ...PaymentState,
    description: 'Where the payment is in its life; the guide to states says what each means.',
  },
  is_outcome_unknown: Type.Boolean({
    description: 'Whether the gateway has not told yet how its latest step ended.',
  }),
  is_disputed: Type.Boolean({ description: 'Whether the payer disputes it at the gateway.' }),
  amount: ShownAmount('Sum of its slots and its tip, in currency units.'),
  tip: shownTip,
  amount_captured: ShownAmount('What was captured of it, in currency units.'),
  amount_refunded: ShownAmount('What of that was given back, in currency units.'),
  currency: Currency,
  slot_ids: Type.Array(Uuid, {
    description: 'The slots it covers, or covered until it failed or was released.',
  }),
  customer_id: Id('The payer: the `assigned_customer_id` of the slots that the payment holds.'),
  customer_email: customerEmail,
  customer_name: customerName,
  shown_name: Type.Optional(
    Type.String({
      description: 'The name that is shown at the slots to whoever has the link; absent where none is shown.',
    }),
  ),
  gateway_reference: textOrNull('Its name at the gateway; null until the gateway has given one.'),
  failure: Type.Unsafe<Static<typeof failureReason> | null>(Type.Union([failureReason, Type.Null()])),
  is_test_mode: Type.Boolean({ description: 'Whether no real money moves.' }),
  created_at: DateTime('When it was started.'),
});
export type Payment = Static<typeof Payment>;

const page = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most items of a page.' }),
  ),
  cursor: Cursor,
};

export const ListPaymentsQuery = Request('ListPaymentsQuery', {
  ...page,
  expand: Type.Optional(
    Type.Array(Choice('PaymentExpansion', ['customers']), {
      description: 'What else the page is answered with: `customers`, the payers of its payments.',
    }),
  ),
});
export const ListCustomerPaymentsQuery = Request('ListCustomerPaymentsQuery', page);

/** Present only where the request asked for it. */
export const expandedCustomers = Type.Optional(
  Type.Array(CustomerListItem, {
    description:
      'Only with `expand=customers`: every customer that the response names, once each, by the `customer_id` of payments and the ' +
      '`assigned_customer_id` of slots.',
  }),
);

export const PaymentList = Response(
  'PaymentList',
  {
    payments: Type.Array(Payment, { description: 'Newest first.' }),
    pagination: CursorPagination,
    customers: expandedCustomers,
  },
  {
    description:
      'Payments of a group payment or of a customer. A group payment itself has it only with `expand=payments`; where ' +
      '`pagination.has_more` is true, `next_cursor` continues the list at `GET /v1/group-payments/{id}/payments`.',
  },
);
