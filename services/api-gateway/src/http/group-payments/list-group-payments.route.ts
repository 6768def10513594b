import { parseInstant, publicApi, type ListPosition } from '@gp/contracts';
import { validationError } from '@gp/errors';
import { toScope } from '../../app/callers/caller.ts';
import { listCursors } from '../request/cursor.ts';
import type { Handle } from '../request/endpoint.ts';
import type { RouteParts } from '../route-parts.ts';
import { queryReader } from '../request/validator.ts';
import { expandPayments } from './expand-payments.ts';

const read = queryReader(publicApi.ListGroupPaymentsQuery);
const DEFAULT_LIMIT = 20;

/** GET /v1/group-payments */
export function listGroupPayments({ services, views, seal }: RouteParts): Handle {
  const cursors = listCursors<ListPosition>(seal, 'group-payments');
  const addExpanded = expandPayments({ services, seal });
  return async (request, caller) => {
    const { limit = DEFAULT_LIMIT, offset, cursor, expand, ...filter } = read(request.query);
    if (cursor !== undefined && offset !== undefined)
      throw validationError('cursor', 'cannot be combined with offset');
    const { groups, total, next } = await services.listGroups({
      ...toScope(caller),
      limit,
      offset: offset ?? 0,
      ...(cursor !== undefined && { after: cursors.read(caller, cursor) }),
      ...toFilter(filter),
    });
    const pagination = {
      limit,
      offset: offset ?? 0,
      total,
      has_more: next !== null,
      next_cursor: next && cursors.after(caller, next),
    };
    const expanded = await addExpanded(caller, { ...(expand && { expand }) }, groups);
    const group_payments = groups.map((group, index) => ({ ...views.item(group), ...expanded[index] }));
    return { status: 200, body: { group_payments, pagination } };
  };
}

type Filter = Omit<publicApi.ListGroupPaymentsQuery, 'limit' | 'offset' | 'cursor' | 'expand'>;

function toFilter({ created_after, created_before, metadata, ...exact }: Filter) {
  const after = created_after === undefined ? undefined : parseInstant(created_after);
  const before = created_before === undefined ? undefined : parseInstant(created_before);
  return {
    ...exact,
    ...(metadata && { metadata: Object.entries(metadata).map(([key, value]) => ({ key, value })) }),
    ...(after && { created_after: after.toISOString() }),
    ...(before && { created_before: endOfMillisecond(before) }),
  };
}

/** Both bounds include the instants shown: a group created at .1234 s is shown as created at .123 s. */
function endOfMillisecond(instant: Date): string {
  return instant.toISOString().replace('Z', '999Z');
}
