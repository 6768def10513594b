import { OneOf, publicApi } from '@gp/contracts';
import Type, { type Static } from '@gp/bundled/typebox';
import { closed, Name } from '../../app/input/input.ts';
import { queryReader, reader } from '../../app/input/reader.ts';
import type { FilteredList } from '../api.ts';
import { groupFilters } from '../payments/group-payments.input.ts';

const { ListCustomersQuery, ListEventsQuery, ListRequestLogsQuery } = publicApi;
const { limit: _limit, cursor: _cursor, ...ofEvents } = ListEventsQuery.properties;
const { limit: _most, cursor: _from, key_id: _key, ...ofRequests } = ListRequestLogsQuery.properties;

/**
 * The filters of each list that are stored, as the list takes them. A searched text is not among them: it is mostly the name or
 * the address of a payer, which an erasure would not find here.
 */
const FILTERS = {
  'group-payments': Type.Object(groupFilters, { ...closed, minProperties: 1 }),
  customers: Type.Object(
    {
      created_after: ListCustomersQuery.properties.created_after,
      created_before: ListCustomersQuery.properties.created_before,
    },
    { ...closed, minProperties: 1 },
  ),
  events: Type.Object(ofEvents, { ...closed, minProperties: 1 }),
  requests: Type.Object(ofRequests, { ...closed, minProperties: 1 }),
} as const satisfies Record<FilteredList, unknown>;

export const FILTERED_LISTS = Object.keys(FILTERS) as readonly FilteredList[];

const List = OneOf(FILTERED_LISTS);
const readList = reader(Type.Object({ list: List }));
const newFilter = (list: FilteredList) =>
  reader(Type.Object({ list: List, name: Name, filters: FILTERS[list] }, closed));
const readers = new Map(FILTERED_LISTS.map((list) => [list, newFilter(list)]));

export type NewFilter = {
  readonly list: FilteredList;
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
};

/** Parses filters to be saved, by the rules of their list; throws validation_error naming the field. */
export function readNewFilter(entered: unknown): NewFilter {
  const { list } = readList(entered);
  return readers.get(list)?.(entered) as NewFilter;
}

/** Parses the list whose saved filters are asked for. */
export const readListQuery: (query: URLSearchParams) => { list: FilteredList } = queryReader(
  Type.Object({ list: List }, closed),
);

const Renamed = Type.Object({ name: Name }, closed);
export const readNewName: (entered: unknown) => Static<typeof Renamed> = reader(Renamed);
