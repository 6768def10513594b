import Type, { type TProperties, type TSchema } from '@gp/bundled/typebox';
import { OneOf, Uuid } from '../common.ts';
import { EVENT_TYPES, type EventType } from '../events/events.ts';
import {
  Currency,
  DateTime,
  Gateway,
  GroupState,
  Id,
  PaymentState,
  Response,
  ShownAmount,
  ShownMetadata,
} from './fields.ts';
import { shownTip } from './tips.ts';

const common = {
  group_payment_id: Id('The group payment it happened to.'),
  is_test_mode: Type.Boolean({ description: 'Whether no real money moves.' }),
  sequence: Type.Integer({
    minimum: 1,
    description: 'Place among the events of the group payment; an event below one already seen is stale.',
  }),
  occurred_at: DateTime('When it happened.'),
  merchant_order_id: Type.Optional(
    Type.String({
      description: 'Order number of the group payment; absent from events of earlier releases.',
    }),
  ),
  client_reference: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'Your own name of the group payment, null without one; absent from events of earlier releases.',
    }),
  ),
  metadata: Type.Optional({
    ...ShownMetadata,
    description:
      'The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases.',
  }),
  is_test_event: Type.Optional(
    Type.Boolean({ description: 'Only there, and true, when it was sent to try the endpoint out.' }),
  ),
};

const STATE = { description: 'The state it came to.' };
const state = (reached: string) => Type.Literal(reached, STATE);
const oneOfStates = (values: readonly string[]) => ({ ...OneOf(values), ...STATE });

const payment = (reached: string) => ({
  payment_intent_id: Id('The payment.'),
  ...common,
  state: state(reached),
  psp_code: { ...Gateway, description: 'The gateway that carries the payment.' },
  amount: ShownAmount('Sum of its slots and its tip, in currency units.'),
  tip: shownTip,
  currency: Currency,
  slot_ids: Type.Array(Uuid, { description: 'The slots it covers.' }),
});

const group = (reached: string) => ({
  ...common,
  state: state(reached),
  currency: Currency,
  amount_captured: ShownAmount('What was captured so far, tips included, in currency units.'),
  amount_refunded: ShownAmount('What of that was given back, in currency units.'),
});

const failure = Response('PaymentFailure', {
  stage: { ...OneOf(['authorise', 'hold', 'capture']), description: 'The step that failed.' },
  code: Type.String({ description: 'Why, for a program.' }),
  message: Type.String({ description: 'Why, for a person.' }),
  retryable: Type.Boolean({ description: 'Whether trying again may help.' }),
});

/** The failure of a hold or a capture leaves the payment in a state of its own. */
const FAILED_STATES = ['failed', 'void_pending', 'voided', 'capture_failed'];

/** A hold may be given back of a payment that goes on, has failed, or was withdrawn. */
const RELEASED_STATES = ['voided', 'void_pending', 'failed', 'capture_failed', 'processing'];

const disputedPayment = {
  ...payment('captured'),
  state: { ...PaymentState, description: 'The state it is in: a dispute changes none.' },
};

const data: Readonly<Record<EventType, TProperties>> = {
  'payment_intent.preauthorised': payment('preauthorised'),
  'payment_intent.captured': payment('captured'),
  'payment_intent.refunded': {
    ...payment('refunded'),
    refund_id: Id('The refund that gave the money back.'),
  },
  'payment_intent.failed': { ...payment('failed'), state: oneOfStates(FAILED_STATES), failure },
  'group_payment.partially_paid': group('partially_paid'),
  'group_payment.paid': group('paid'),
  'group_payment.partially_refunded': group('partially_refunded'),
  'group_payment.refunded': group('refunded'),
  'payment_intent.released': { ...payment('voided'), state: oneOfStates(RELEASED_STATES) },
  'group_payment.expired': group('expired'),
  'group_payment.cancelled': group('cancelled'),
  'group_payment.capture_failed': group('capture_failed'),
  'group_payment.refund_failed': group('refund_failed'),
  'payment_intent.disputed': disputedPayment,
  'payment_intent.dispute_closed': disputedPayment,
  'group_payment.updated': {
    ...group('open'),
    state: { ...GroupState, description: 'The state it is in: an update changes none.' },
    group_name: Type.String({ description: 'What payers see.' }),
    expires_at: DateTime('When collecting ends.'),
  },
};

/** `payment_intent.captured` → `PaymentIntentCaptured`. */
const toEventTypeName = (type: EventType): string =>
  type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const buildEventBody = (type: EventType): TSchema =>
  Response(`${toEventTypeName(type)}Event`, {
    id: Id('Id of the event: the same in every delivery of it.'),
    type: Type.Literal(type, { description: 'What happened.' }),
    created: DateTime('When it happened, with milliseconds.'),
    data: Response(`${toEventTypeName(type)}Data`, data[type]),
  });

/** The body of a webhook delivery, by the type of its event. */
export const eventBodies = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, buildEventBody(type)]),
) as Readonly<Record<EventType, TSchema>>;
