import { CurrencyCode } from '@gp/contracts';
import type { Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import { closed, GroupName, OrganiserMay, SlotLabel } from '../../app/input/input.ts';
import { reader } from '../../app/input/reader.ts';
import { createByHand } from '../../app/payments/create-by-hand.ts';
import type { WebParts } from '../../app/ports.ts';
import { mayHoldOrganisersLink } from '../../domain/roles.ts';
import type { CreatedByHand } from '../api.ts';
import { readBody } from '../request/body.ts';
import { guards } from '../request/guards.ts';
import { perMode } from '../request/per-mode.ts';
import { readIdempotencyKey } from './group-payments.routes.ts';

/** An amount in currency units. One with so many digits is too large in every currency, and is answered with the largest. */
const Amount = Type.String({
  pattern: '^[0-9]{1,40}([.][0-9]{1,4})?$',
  misfit: 'must be an amount such as 12.50',
});
const Count = Type.Integer({ minimum: 1, maximum: 30 });
const readBill = reader(
  Type.Object(
    {
      group_name: GroupName,
      currency: CurrencyCode,
      total_amount: Type.Optional(Amount),
      number_of_slots: Type.Optional(Count),
      slots: Type.Optional(
        Type.Array(Type.Object({ amount: Amount, label: Type.Optional(SlotLabel) }, closed), {
          minItems: 1,
          maxItems: 30,
        }),
      ),
      expires_in_seconds: Type.Integer({ minimum: 60, maximum: 7 * 24 * 60 * 60 }),
      organiser: Type.Optional(Type.Union([Type.Object({ may: OrganiserMay }, closed), Type.Null()])),
      capture_at_expiry: Type.Optional(
        Type.Object(
          { minimum_slots: Type.Optional(Count), minimum_amount: Type.Optional(Amount) },
          { ...closed, minProperties: 1, maxProperties: 1 },
        ),
      ),
      max_tip: Type.Optional(Amount),
    },
    closed,
  ),
);

/** Routes by which members create group payments without code, in each mode. */
export function createByHandRoutes(parts: WebParts): Route[] {
  const { allowed } = guards(parts.db);
  const create = createByHand(parts);
  const { checkout } = parts.addresses;
  return perMode(({ mode, at }) => {
    const permission = mode === 'live' ? 'payment_links.create' : 'test.manage';
    return [
      allowed(permission, ['POST', at('group-payments')], async (request, member) => {
        const bill = readBody(request, readBill);
        const { group } = await create(member, { mode, key: readIdempotencyKey(request) }, bill);
        const { id, group_name, page_token, organiser } = group;
        const body: CreatedByHand = {
          id,
          group_name,
          checkout_url: `${checkout}/c/${page_token}`,
          ...(organiser &&
            mayHoldOrganisersLink(member) && { organiser_url: `${checkout}/o/${organiser.token}` }),
        };
        return { status: 201, body };
      }),
    ];
  });
}
