import type { Bootstrap, Group, Locale, ServerEntry } from '@gp/checkout-web/bootstrap';
import { findCurrency } from '@gp/money';
import type { Brand } from '../domain/brand.ts';
import { toPicture, type KnownGroup } from '../domain/picture.ts';

/** Returns how a page shows whom a group is paid to. */
export function showBrand({ name, color, logo }: Brand): Pick<Bootstrap, 'payee' | 'brand_color' | 'logo'> {
  const { file, ...size } = logo ?? { file: '', width: 0, height: 0 };
  return { payee: name, brand_color: color, ...(logo && { logo: { src: `/logos/${file}`, ...size } }) };
}

/** How texts are written: the language of the sentences, and the locale of amounts and dates. */
export type Written = { readonly locale: Locale; readonly written: string };

/** Writes the sentences that differ where what is held is captured when time runs out. */
export type WriteMinimum = ServerEntry['writeMinimum'];

/** Returns the sentences that a page about this group has of its own. */
export function showSentences(
  write: WriteMinimum,
  { group }: KnownGroup,
  { locale, written }: Written,
): Pick<Bootstrap, 'sentences'> {
  const { capture_minimum: minimum, currency } = group;
  if (!minimum) return {};
  const fraction_digits = countDecimals(currency);
  return { sentences: write({ locale, written_as: written, currency, fraction_digits, minimum }) };
}

/** Writes the sentences about tips in the language of a locale. */
export type WriteTips = ServerEntry['writeTips'];

/** Returns what the page of this group offers as a tip. */
export function showTips(
  write: WriteTips,
  { group }: KnownGroup,
  { locale }: Written,
): Pick<Bootstrap, 'tips'> {
  const { max_tip_minor: max_minor } = group;
  return max_minor === undefined ? {} : { tips: { max_minor, texts: write(locale) } };
}

/** Returns a group as every page about it may show it: without metadata, tokens and payers but the names of those who agreed. */
export function showGroup(found: KnownGroup): Group {
  const { group, slots } = found;
  const { rev, state, facts, expires_at, slots: live } = toPicture(found);
  return {
    id: group.id,
    name: group.group_name,
    order_id: group.merchant_order_id,
    total_minor: group.total_minor,
    currency: group.currency,
    fraction_digits: countDecimals(group.currency),
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

const countDecimals = (currency: string): number => findCurrency(currency)?.exponent ?? 2;
