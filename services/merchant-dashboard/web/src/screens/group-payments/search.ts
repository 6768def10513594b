/** The filters of the list, by their names in the API. */
export const FILTERS = ['state', 'created_after', 'created_before', 'merchant_order_id'] as const;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

type Search =
  { readonly kind: 'id'; readonly id: string } | { readonly kind: 'order'; readonly order: string };

/** Parses a search text: an id, alone or within an address, or else an order number. */
export function parseSearch(text: string): Search {
  const id = UUID.exec(text)?.[0];
  return id === undefined ? { kind: 'order', order: text.trim() } : { kind: 'id', id: id.toLowerCase() };
}
