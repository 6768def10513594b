import Type, { type Static } from '@gp/bundled/typebox';
import { Amount, Request, Response, ShownAmount } from './fields.ts';

const TipsRequest = Request(
  'TipsRequest',
  {
    max_amount: Amount('The most that each payment may add to its slots, in currency units.'),
  },
  {
    description:
      'Lets payers add a tip to their slots: a part of their payment that belongs to no slot and not to `total_amount`. Left out or ' +
      'null, they may add nothing. The checkout page and the widget offer tips.',
  },
);

export const TipsOrNone = Type.Unsafe<Static<typeof TipsRequest> | null>(
  Type.Union([TipsRequest, Type.Null()]),
);

/** Fixed at creation. */
export const Tips = Response(
  'Tips',
  { max_amount: ShownAmount('The most that each payment may add to its slots, in currency units.') },
  { description: 'What payers may add to their slots; absent where they may add nothing.' },
);

export const tip = Type.Optional(
  Amount(
    'What the payer adds to the slots, in currency units: at most the `max_amount` of the `tips` of the group payment, and refused where it has none.',
  ),
);

export const shownTip = Type.Optional(
  ShownAmount('What the payer added to the slots, in currency units; absent where that is nothing.'),
);
