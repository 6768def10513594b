import type * as contracts from '@gp/contracts';
import type { RequestOf, ResponseOf } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { MOST_FOUND, searchGroups as findRows } from '../../db/lookups/search-groups.ts';
import { toScope } from '../change/change-group.ts';
import { groupView } from './views.ts';

type Search = typeof contracts.searchGroups;

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The end of a link of payers (`/c/…`) or of an organiser (`/o/…`). */
const LINK = /\/[co]\/([\w-]{22,})/;

/** The newest groups that a text names, alone or within an address; none for a text of spaces. */
export function searchGroups(db: Db): (r: RequestOf<Search>) => Promise<ResponseOf<Search>> {
  return async (request) => {
    const text = request.text.trim();
    if (text === '') return { groups: [], is_cut: false };
    const named = { id: ID.exec(text)?.[0] ?? null, token: LINK.exec(text)?.[1] ?? null };
    const rows = await findRows(db, toScope(request), { text, ...named });
    return { groups: rows.slice(0, MOST_FOUND).map(groupView), is_cut: rows.length > MOST_FOUND };
  };
}
