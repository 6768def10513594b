import type { Bootstrap, Group } from '@gp/checkout-web/bootstrap';
import { findCurrency } from '@gp/money';
import type { Brand } from '../domain/brand.ts';
import { toPicture, type KnownGroup } from '../domain/picture.ts';

/** Returns how a page shows whom a group is paid to. */
export function showBrand({ name, color, logo }: Brand): Pick<Bootstrap, 'payee' | 'brand_color' | 'logo'> {
  const { file, ...size } = logo ?? { file: '', width: 0, height: 0 };
  return { payee: name, brand_color: color, ...(logo && { logo: { src: `/logos/${file}`, ...size } }) };
}

/** Returns a group as every page about it may show it: without payers, metadata and tokens. */
export function showGroup(found: KnownGroup): Group {
  const { group, slots } = found;
  const { rev, state, facts, expires_at, slots: live } = toPicture(found);
  return {
    id: group.id,
    name: group.group_name,
    order_id: group.merchant_order_id,
    total_minor: group.total_minor,
    currency: group.currency,
    fraction_digits: findCurrency(group.currency)?.exponent ?? 2,
    state,
    facts,
    expires_at,
    rev,
    slots: live.map((slot, index) => {
      const { sequence_no = index + 1, amount_minor = '0', label } = slots[index] ?? {};
      return { ...slot, sequence_no, amount_minor, ...(label !== undefined && { label }) };
    }),
  };
}
