import Type, { type TObjectOptions, type TProperties, type TStringOptions } from '@gp/bundled/typebox';
import { TIME_ZONE_PATTERN } from '@gp/primitives';
import { pspCodes } from '../common.ts';
import { EVENT_TYPES } from '../events/events.ts';
import { GROUP_STATES, INTENT_STATES } from '../ledger/views.ts';

const closed = { additionalProperties: false } as const;

/** The body of a request: an unknown field is a fault. */
export function Request<T extends TProperties>(title: string, properties: T, options: TObjectOptions = {}) {
  return Type.Object(properties, { ...closed, title, ...options });
}

/** The body of a response, or a part of one. */
export function Response<T extends TProperties>(title: string, properties: T, options: TObjectOptions = {}) {
  return Type.Object(properties, { title, ...options });
}

/** One of these texts, under a name of its own in the description: clients generated from it have one type for all its uses. */
export function Choice<const T extends readonly string[]>(title: string, values: T) {
  return Type.Unsafe<T[number]>({ type: 'string', title, enum: [...values] });
}

export const GroupState = Choice('GroupPaymentState', GROUP_STATES);
export const PaymentState = Choice('PaymentState', INTENT_STATES);
export const EventTypeName = Choice('EventType', EVENT_TYPES);
export const Gateway = Choice('PspCode', pspCodes);

export const Id = (description: string) => Type.String({ format: 'uuid', description });

/** Currency units, never cents. Carried as a JSON number, read from its source text and never as a double. */
export const Amount = (description: string) => Type.Number({ minimum: 0.01, description });

/** The same in responses: written with all decimals of the currency. */
export const ShownAmount = (description: string) => Type.Number({ description });

/** A time zone by its name in the IANA database. */
export const TimeZone = (description: string) =>
  Type.String({ pattern: TIME_ZONE_PATTERN, description, examples: ['Europe/Madrid'] });
export const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  minLength: 3,
  maxLength: 3,
  description: 'ISO 4217 code of an active currency.',
  examples: ['EUR'],
});

export const DateTime = (description: string, options: TStringOptions = {}) =>
  Type.String({ format: 'date-time', description, ...options });

export const FREE_PAIRS =
  'Free key/value pairs: at most 50 keys and 16 kB as JSON, where a number counts with all its digits. Numbers lie between -9007199254740991 and 9007199254740991: send larger ones as text.';

/** Free pairs of the merchant; a schema cannot express the size limit of 16 kB. */
export const FreeMetadata = Type.Record(Type.String(), Type.Unknown(), {
  title: 'Metadata',
  maxProperties: 50,
  description: FREE_PAIRS,
});

export const ShownMetadata = {
  ...FreeMetadata,
  description: 'The key/value pairs given at creation, or by the latest update.',
};

export const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

/** The start of a page of a list. */
export const Cursor = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_-]+$',
    maxLength: 512,
    description:
      "The previous page's next_cursor, with the same filters again. Unlike an offset it stays where it is while items are added.",
  }),
);

/** The start of the next page. */
export const NextCursor = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'What to give as cursor for the next page; null on the last one.',
});

/** Where a list that is read by cursor continues. */
export const CursorPagination = Response('CursorPagination', {
  limit: Type.Integer({ description: 'Most items of a page.' }),
  has_more: Type.Boolean({ description: 'Whether there is a page after this one.' }),
  next_cursor: NextCursor,
});
