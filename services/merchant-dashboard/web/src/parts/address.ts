import { useSearchParams } from 'react-router';

/** Keeps filters in the address: a view can be sent to another person, and Back works. */
export function useFilters<const N extends string>(names: readonly N[]) {
  const [search, setSearch] = useSearchParams();
  const filters = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<
    N,
    string
  >;
  return {
    filters,
    cursor: search.get('cursor') ?? undefined,
    isFiltered: names.some((name) => filters[name] !== ''),
    /** Sets a filter and returns to the first page. */
    set(name: N, value: string | undefined) {
      const next = new URLSearchParams(search);
      next.delete('cursor');
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
      setSearch(next, { replace: true });
    },
    /** Sets this filter and removes all others. */
    only: (name: N, value: string) => setSearch(value === '' ? {} : { [name]: value }, { replace: true }),
    clear: () => setSearch({}, { replace: true }),
  };
}
