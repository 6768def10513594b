import type { HttpHead } from '@gp/http';

/** A group has at most 30 slots. */
const NUMBER = /^(?:[1-9]|[12]\d|30)$/;

/**
 * Returns the number of the slot that the address is for, from `?slot=` (Q72); undefined for an address that names none,
 * several, or what is no number of a slot.
 */
export function readLinkedSlot({ query }: HttpHead): number | undefined {
  const [text = '', ...others] = query.getAll('slot');
  return others.length === 0 && NUMBER.test(text) ? Number(text) : undefined;
}
