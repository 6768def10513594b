import Type, { type Static } from '@gp/bundled/typebox';
import { Amount, Request, Response, ShownAmount } from './fields.ts';

const minimumSlots = Type.Integer({
  minimum: 1,
  maximum: 30,
  description: 'How many slots must be held by then.',
});

/** Exactly one of the two. */
const CaptureAtExpiryRequest = Request(
  'CaptureAtExpiryRequest',
  {
    minimum_amount: Type.Optional(
      Amount('How much must be held by then, in currency units, at most `total_amount`.'),
    ),
    minimum_slots: Type.Optional(minimumSlots),
  },
  {
    minProperties: 1,
    maxProperties: 1,
    description:
      'What happens when the time to pay runs out and some slots are held. Left out or null, every hold is released and nobody is charged. ' +
      'With a minimum, what is held is captured where it reaches the minimum, and the group payment becomes `partially_paid`; the other ' +
      'slots become `expired`. The pages tell payers so before they pay.',
  },
);

export const CaptureAtExpiryOrNone = Type.Unsafe<Static<typeof CaptureAtExpiryRequest> | null>(
  Type.Union([CaptureAtExpiryRequest, Type.Null()]),
);

/** Fixed at creation. */
export const CaptureAtExpiry = Response(
  'CaptureAtExpiry',
  {
    minimum_amount: Type.Optional(ShownAmount('How much must be held, in currency units.')),
    minimum_slots: Type.Optional(minimumSlots),
  },
  {
    description:
      'The minimum from which what is held is captured when the time to pay runs out; absent where everything is released then.',
  },
);
