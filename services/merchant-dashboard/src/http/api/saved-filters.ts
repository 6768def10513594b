/** The lists whose filters can be saved. */
export type FilteredList = 'group-payments' | 'customers' | 'events' | 'requests';

/**
 * GET /api/{mode}/saved-filters?list= → SavedFilters, by name; POST /api/{mode}/saved-filters {list, name, filters} and PATCH
 * /api/{mode}/saved-filters/{id} {name} → SavedFilter; DELETE /api/{mode}/saved-filters/{id} → {}
 */
export type SavedFilters = { readonly saved_filters: readonly SavedFilter[] };
export type SavedFilter = {
  readonly id: string;
  readonly list: FilteredList;
  readonly name: string;
  /** Values by the names that the filters have in the query of the list. */
  readonly filters: Readonly<Record<string, string>>;
  readonly created_at: string;
};
