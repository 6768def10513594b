import { useSearchParams } from 'react-router';

/** Keeps filters in the address: a view can be sent to another person, and Back works. */
export function useFilters<const N extends string>(names: readonly N[]) {
  const [search, setSearch] = useSearchParams();
  const filters = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<
    N,
    string
  >;
  const change = (values: Readonly<Partial<Record<N, string | undefined>>>): void => {
    // Two changes may come before the first of them is rendered.
    const next = new URLSearchParams(window.location.search);
    next.delete('cursor');
    for (const name of names.filter((each) => Object.hasOwn(values, each))) {
      const value = values[name];
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    setSearch(next, { replace: true });
  };
  return {
    filters,
    cursor: search.get('cursor') ?? undefined,
    isFiltered: names.some((name) => filters[name] !== ''),
    /** Sets a filter and returns to the first page. */
    set: (name: N, value: string | undefined) => change({ [name]: value } as Record<N, string | undefined>),
    /** Does the same with several filters. */
    change,
    /** Sets this filter and removes all others. */
    only: (name: N, value: string) => setSearch(value === '' ? {} : { [name]: value }, { replace: true }),
    /** Shows the list with these filters and no others; Back returns to what was shown before. */
    open: (values: Readonly<Partial<Record<string, string>>>) =>
      setSearch(Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])))),
    clear: () => setSearch({}, { replace: true }),
  };
}
