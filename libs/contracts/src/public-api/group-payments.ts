import { NAME_PATTERN } from '@gp/primitives';
import Type, { type Static } from '@gp/bundled/typebox';
import { Nullable, Uuid } from '../common.ts';
import { CaptureAtExpiry, CaptureAtExpiryOrNone } from './capture-at-expiry.ts';
import { SLOT_STATES } from '../ledger/views.ts';
import { DistributionRequest } from './distribution.ts';
import {
  Amount,
  Choice,
  Currency,
  Cursor,
  DateTime,
  FREE_PAIRS,
  FreeMetadata,
  GroupState,
  Id,
  NextCursor,
  Request,
  Response,
  ShownAmount,
  ShownMetadata,
} from './fields.ts';
import { Organiser, OrganiserOrNone, organiserUrl } from './organiser.ts';
import { expandedCustomers, PaymentList } from './payments.ts';
import { Tips, TipsOrNone } from './tips.ts';

const state = {
  ...GroupState,
  description: 'Where the group payment is in its life; the guide to states says what each means.',
};

const groupPayment = {
  id: Id('Id of the group payment.'),
  merchant_id: Type.String({ description: 'The merchant it belongs to.' }),
  group_name: Type.String({ description: 'What payers see.' }),
  merchant_order_id: Type.String({ description: 'Order number, generated, unique per merchant.' }),
  client_reference: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Your own name of it, given at creation; null without one, and for session tokens.',
  }),
  total_amount: ShownAmount('Sum of all slots, in currency units.'),
  currency: Currency,
  expires_at: DateTime('When collecting ends.'),
  state,
  metadata: ShownMetadata,
  organiser: Type.Optional(Organiser),
  capture_at_expiry: Type.Optional(CaptureAtExpiry),
  tips: Type.Optional(Tips),
  created_at: DateTime('When it was created.'),
  updated_at: DateTime('When it last changed.'),
};

const checkoutUrl = Type.String({
  format: 'uri',
  description: 'Public page where participants pay their slots.',
});

/** Present only where the request asked for it. */
const expandedPayments = Type.Optional(PaymentList);

const expand = Type.Optional(
  Type.Array(Choice('GroupPaymentExpansion', ['payments']), {
    description:
      'What else each group payment is answered with: `payments`, the newest 20 of each. They name payers: a session token gets 403. ' +
      'Several are written `expand=a&expand=b` or `expand[]=a`.',
  }),
);

export const GroupPayment = Response('GroupPayment', groupPayment);
export const GroupPaymentListItem = Response('GroupPaymentListItem', {
  ...groupPayment,
  checkout_url: checkoutUrl,
  organiser_url: Type.Optional(organiserUrl),
  payments: expandedPayments,
});

export const PaymentSlot = Response('PaymentSlot', {
  id: Id('Id of the slot.'),
  merchant_id: Type.String({ description: 'The merchant it belongs to.' }),
  group_payment_id: Id('The group payment it is part of.'),
  sequence_no: Type.Integer({ minimum: 1, description: 'Place within the group, from 1.' }),
  label: Type.Optional(Type.String({ description: 'What the slot is for; absent where you gave nothing.' })),
  assigned_customer_id: Nullable(Uuid),
  amount: ShownAmount('Price of the slot, in currency units.'),
  currency: Currency,
  state: {
    ...Choice('PaymentSlotState', SLOT_STATES),
    description: 'Where the slot is in its life; the guide to states says what each means.',
  },
  metadata: ShownMetadata,
  created_at: DateTime('When it was created.'),
  updated_at: DateTime('When it last changed.'),
});

const groupName = Type.String({
  minLength: 1,
  maxLength: 32,
  pattern: NAME_PATTERN,
  description: 'What payers see.',
});

export const CreateGroupPaymentRequest = Request('CreateGroupPaymentRequest', {
  group_name: groupName,
  total_amount: Amount('Sum of all slots, in currency units, with at most the decimals of the currency.'),
  currency: Currency,
  expires_at: DateTime('In the future, at most 7 days ahead, with a time zone offset.'),
  client_reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: NAME_PATTERN,
      description:
        'Your own name of it, an order number for example, by which the list is filtered. It need not be unique, and payers never see it.',
    }),
  ),
  metadata: Type.Optional(FreeMetadata),
  distribution: DistributionRequest,
  organiser: Type.Optional(OrganiserOrNone),
  capture_at_expiry: Type.Optional(CaptureAtExpiryOrNone),
  tips: Type.Optional(TipsOrNone),
});
export type CreateGroupPaymentRequest = Static<typeof CreateGroupPaymentRequest>;

export const UpdateGroupPaymentRequest = Request(
  'UpdateGroupPaymentRequest',
  {
    group_name: Type.Optional(groupName),
    expires_at: Type.Optional(
      DateTime(
        'A later end of collecting, at most 7 days after the creation, with a time zone offset. Only while the group payment collects.',
      ),
    ),
    metadata: Type.Optional({
      ...FreeMetadata,
      description: `Replaces all metadata of the group payment. ${FREE_PAIRS}`,
    }),
  },
  { minProperties: 1 },
);
export type UpdateGroupPaymentRequest = Static<typeof UpdateGroupPaymentRequest>;

/** A group payment as a creation and a look at it show it. */
export const GroupPaymentWithSlots = Response('GroupPaymentWithSlots', {
  group_payment: GroupPayment,
  payment_slots: Type.Array(PaymentSlot, { description: 'Every slot, by sequence_no.' }),
  checkout_url: checkoutUrl,
  organiser_url: Type.Optional(organiserUrl),
  payments: expandedPayments,
  customers: expandedCustomers,
});

/** Not closed: where one object is read, an unknown parameter is ignored. */
export const GetGroupPaymentQuery = Type.Object(
  {
    expand: Type.Optional(
      Type.Array(Choice('GroupPaymentDetailExpansion', ['payments', 'customers']), {
        description:
          'What else the group payment is answered with: `payments`, the newest 20, and `customers`, the payers of its slots and of ' +
          'these payments. They name payers: a session token gets 403. Several are written `expand=a&expand=b` or `expand[]=a`.',
      }),
    ),
  },
  { title: 'GetGroupPaymentQuery' },
);
export type GetGroupPaymentQuery = Static<typeof GetGroupPaymentQuery>;

export const RolledCheckoutLink = Response('RolledCheckoutLink', {
  group_payment_id: Id('The group payment whose link was replaced.'),
  checkout_url: checkoutUrl,
});

export const ListGroupPaymentsQuery = Request('ListGroupPaymentsQuery', {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most items of a page.' }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'How many items to skip; not together with a cursor.',
    }),
  ),
  cursor: Cursor,
  state: Type.Optional(state),
  merchant_order_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Only the one with this order number.' }),
  ),
  client_reference: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Only those with this name of yours.' }),
  ),
  customer_email: Type.Optional(
    Type.String({
      format: 'email',
      maxLength: 320,
      description: 'Only those of which this payer started a payment, whatever became of it.',
    }),
  ),
  customer_id: Type.Optional(
    Id('Only those of which this customer started a payment, whatever became of it.'),
  ),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: 3,
      additionalProperties: { type: 'string', maxLength: 500 },
      description:
        'Only those whose metadata has these pairs at its top level, up to three: `metadata[table]=7`. A value is compared ' +
        'exactly; `7` finds the text and the number, `true` the text and the boolean.',
      examples: [{ table: '7' }],
    }),
  ),
  created_after: Type.Optional(DateTime('Only those created at this instant or later.')),
  created_before: Type.Optional(DateTime('Only those created at this instant or earlier.')),
  expand,
});
export type ListGroupPaymentsQuery = Static<typeof ListGroupPaymentsQuery>;

export const GroupPaymentList = Response('GroupPaymentList', {
  group_payments: Type.Array(GroupPaymentListItem, { description: 'Newest first.' }),
  pagination: Response('Pagination', {
    limit: Type.Integer({ description: 'Most items of a page.' }),
    offset: Type.Integer({ description: 'How many items were skipped; 0 after a cursor.' }),
    total: Type.Integer({ description: 'How many match the filter.' }),
    has_more: Type.Boolean({ description: 'Whether there are items after this page.' }),
    next_cursor: NextCursor,
  }),
});
