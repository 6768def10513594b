import { publicApi } from '@gp/contracts';
import Type from '@gp/bundled/typebox';
import { closed } from '../../app/input/input.ts';
import { queryReader, reader } from '../../app/input/reader.ts';

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
