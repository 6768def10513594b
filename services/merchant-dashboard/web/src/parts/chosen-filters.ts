/**
 * Returns the filters that are set and can be saved; undefined when there are none. A searched text is not saved, because it
 * is mostly the name or the address of a payer.
 */
export function listChosen({
  search: _search,
  ...filters
}: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  const chosen = Object.entries(filters).filter(([, value]) => value !== '');
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen);
}
