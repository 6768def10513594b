import Type, { type Static } from '@gp/bundled/typebox';
import { ORGANISER_RIGHTS } from '../ledger/views.ts';
import { Choice, DateTime, Id, Request, Response } from './fields.ts';

const may = Type.Array(Choice('OrganiserRight', ORGANISER_RIGHTS), {
  maxItems: ORGANISER_RIGHTS.length,
  uniqueItems: true,
  description:
    'What the organiser may do: `remind` payers who have not finished by mail, `extend` the time to pay, `cancel` the group payment. ' +
    'Without any, the organiser sees who is missing and can pay what is left.',
});

/** Fixed at creation. */
export const Organiser = Response(
  'Organiser',
  {
    may,
    latest_expires_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'How far the organiser may extend the time to pay; null without that right.',
    }),
  },
  {
    description:
      'The rights that the `organiser_url` gives; absent where the group payment has no organiser.',
  },
);

export const organiserUrl = Type.String({
  format: 'uri',
  description:
    'The organiser’s page. Everybody who has this link has the organiser’s rights: give it to one person.',
});

export const OrganiserRequest = Request(
  'OrganiserRequest',
  {
    may,
    latest_expires_at: Type.Optional(
      DateTime(
        'With `extend` alone: how far the organiser may extend the time to pay, later than `expires_at` and at most 7 days ahead, with a time zone offset. A day after `expires_at` when omitted.',
      ),
    ),
  },
  {
    description:
      'Asks for an organiser: the answer has an `organiser_url` beside the `checkout_url`. Left out, the rights that your dashboard ' +
      'gives organisers by default count, which are none at first; null is no organiser, whatever they are.',
  },
);

/** Null for no organiser, also where the merchant's setting gives one. */
export const OrganiserOrNone = Type.Unsafe<Static<typeof OrganiserRequest> | null>(
  Type.Union([OrganiserRequest, Type.Null()]),
);

export const RolledOrganiserLink = Response('RolledOrganiserLink', {
  group_payment_id: Id('The group payment whose link was replaced.'),
  organiser_url: organiserUrl,
});
