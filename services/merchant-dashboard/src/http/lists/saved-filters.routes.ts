import type { Mode } from '@gp/contracts';
import type { Route } from '@gp/http';
import {
  deleteFilter,
  listSavedFilters,
  renameFilter,
  saveFilter,
  type SavedFilterRow,
} from '../../app/lists/saved-filters.ts';
import type { WebParts } from '../../app/ports.ts';
import type { FilteredList, SavedFilter, SavedFilters } from '../api.ts';
import { readBody } from '../request/body.ts';
import { guards, type Member } from '../request/guards.ts';
import { pathId } from '../request/path-id.ts';
import { perMode } from '../request/per-mode.ts';
import { readListQuery, readNewFilter, readNewName } from './saved-filters.input.ts';

const NOUN = 'saved filter';

/** Routes of the filters that members keep for themselves, whatever their role. */
export function savedFilterRoutes(parts: WebParts): Route[] {
  const { allowed } = guards(parts.db);
  const save = saveFilter(parts);
  const rename = renameFilter(parts);
  return perMode(({ mode, at }) => [
    allowed('read', ['GET', at('saved-filters')], async ({ query }, member) => {
      const found = await listSavedFilters(parts, toOwner(member, mode), readListQuery(query).list);
      return { status: 200, body: { saved_filters: found.map(savedFilterView) } satisfies SavedFilters };
    }),
    allowed('read', ['POST', at('saved-filters')], async (request, member) => {
      const saved = await save(toOwner(member, mode), readBody(request, readNewFilter));
      return { status: 201, body: savedFilterView(saved) };
    }),
    allowed('read', ['PATCH', at('saved-filters/:id')], async (request, member) => {
      const change = { id: pathId(request, NOUN), ...readBody(request, readNewName) };
      return { status: 200, body: savedFilterView(await rename(toOwner(member, mode), change)) };
    }),
    allowed('read', ['DELETE', at('saved-filters/:id')], async (request, member) => {
      await deleteFilter(parts, toOwner(member, mode), pathId(request, NOUN));
      return { status: 200, body: {} };
    }),
  ]);
}

const toOwner = ({ id }: Pick<Member, 'id'>, mode: Mode) => ({ userId: id, mode });

function savedFilterView({ created_at, list, ...row }: SavedFilterRow): SavedFilter {
  return { ...row, list: list as FilteredList, created_at: created_at.toISOString() };
}
