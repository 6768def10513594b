import { parseInstant, publicApi } from '@gp/contracts';
import Type, { type Static } from '@gp/bundled/typebox';
import { closed } from '../../app/input/input.ts';
import { queryReader, reader } from '../../app/input/reader.ts';
import { endOfMillisecond } from '../../domain/instant.ts';

export const readRefund = reader(publicApi.RefundRequest);

const MOST_SLOTS = 30;
const ID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const readQuery = queryReader(
  Type.Object(
    { slot_ids: Type.Optional(Type.String({ pattern: `^${ID}(,${ID}){0,${MOST_SLOTS - 1}}$` })) },
    closed,
  ),
);

/** Parses the slots of a preview; null means the whole group. */
export function readPreviewQuery(query: URLSearchParams): string[] | null {
  return readQuery(query).slot_ids?.toLowerCase().split(',') ?? null;
}

/** The text of a search: an e-mail address has up to 320 characters. */
export const SearchText = Type.String({ minLength: 1, maxLength: 320 });

const { state, created_after, created_before } = publicApi.ListGroupPaymentsQuery.properties;

/** The filters of the list of group payments, as a query has them. */
export const groupFilters = {
  state,
  /** Only those with a payment in dispute. */
  disputed: Type.Optional(Type.Literal('true')),
  created_after,
  created_before,
};
const GroupFilters = Type.Object(groupFilters);

/** Returns the filter of a list of groups as the ledger takes it. */
export function toGroupFilter({
  state,
  disputed,
  created_after,
  created_before,
}: Static<typeof GroupFilters>) {
  const after = created_after === undefined ? undefined : parseInstant(created_after);
  const before = created_before === undefined ? undefined : parseInstant(created_before);
  return {
    ...(state && { state }),
    ...(disputed && { disputed: true as const }),
    ...(after && { created_after: after.toISOString() }),
    ...(before && { created_before: endOfMillisecond(before) }),
  };
}
