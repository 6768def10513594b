import type { GroupView } from '@gp/contracts';
import { validationError } from '@gp/errors';
import type { Route } from '@gp/http';
import Type, { type Static } from '@gp/bundled/typebox';
import { closed } from '../../app/input/input.ts';
import { queryReader } from '../../app/input/reader.ts';
import type { ServiceCalls, WebParts } from '../../app/ports.ts';
import { readRows } from '../request/cursor.ts';
import { guards } from '../request/guards.ts';
import { FILE_PAGE, ListFormat, sendFiles } from '../request/list-file.ts';
import { perMode, toScope } from '../request/per-mode.ts';
import { groupFilters, SearchText, toGroupFilter } from './group-payments.input.ts';
import {
  GROUP_COLUMNS,
  groupRow,
  PAYMENT_COLUMNS,
  paymentRow,
  type GroupRow,
  type PaymentRow,
} from './payment-files.ts';

const Query = Type.Object({ ...groupFilters, text: Type.Optional(SearchText), format: ListFormat }, closed);
const read = queryReader(Query);
/** A group has at most 30 slots, so that few have more payments than these. */
const PAYMENTS_OF_A_GROUP = 30;

/**
 * Routes of a mode's group payments as files, and of their payments: those of a filter, or those that a search finds. They
 * come before the routes of single group payments, whose ids would stand at the same place of the path.
 */
export function paymentFileRoutes(parts: WebParts): Route[] {
  const { db, services } = parts;
  const { allowed } = guards(db);
  const sendFile = sendFiles(parts);
  return perMode(({ mode, at }) => [
    allowed('read', ['GET', at('group-payments/export')], async (request, member) => {
      const { format, ...wanted } = read(request.query);
      const scope = toScope(member, mode);
      const { pages: groups, part } = await findGroups(services, scope, wanted);
      const pages = readWithMoney(services, scope, groups);
      const name = `group-payments-${mode}${part}`;
      return sendFile(request, member, { name, format, columns: GROUP_COLUMNS, pages });
    }),
    allowed('read', ['GET', at('payments/export')], async (request, member) => {
      const { format, ...wanted } = read(request.query);
      const scope = toScope(member, mode);
      const { pages: groups, part } = await findGroups(services, scope, wanted);
      const pages = readPayments(services, scope, groups);
      const name = `payments-${mode}${part}`;
      return sendFile(request, member, { name, format, columns: PAYMENT_COLUMNS, pages });
    }),
  ]);
}

type Scope = ReturnType<typeof toScope>;
type Groups = AsyncIterable<readonly GroupView[]>;

/**
 * Returns the groups that the list shows, in its order, and the end of the file's name where they are a part of what a search
 * finds: nobody may take that file for the whole. Rejects with `validation_error` for a search with a filter.
 */
async function findGroups(
  services: ServiceCalls,
  scope: Scope,
  { text, ...filter }: Omit<Static<typeof Query>, 'format'>,
): Promise<{ pages: Groups; part: string }> {
  if (text !== undefined) {
    if (Object.keys(filter).length > 0) throw validationError('text', 'cannot be combined with a filter');
    const { groups, is_cut } = await services.searchGroups({ ...scope, text });
    return { pages: onePage(groups), part: is_cut ? `-newest-${groups.length}` : '' };
  }
  const asked = { ...scope, limit: FILE_PAGE, offset: 0, without_total: true, ...toGroupFilter(filter) };
  const pages = readRows(
    (from) => services.listGroups({ ...asked, ...from }),
    ({ groups }) => groups,
  );
  return { pages, part: '' };
}

async function* onePage<T>(rows: T): AsyncGenerator<T> {
  yield rows;
}

async function* readWithMoney(
  services: ServiceCalls,
  scope: Scope,
  pages: Groups,
): AsyncGenerator<GroupRow[]> {
  for await (const groups of pages) {
    const { sums } = await services.sumGroups({ ...scope, group_ids: groups.map(({ id }) => id) });
    const sumOf = new Map(sums.map((sum) => [sum.group_id, sum]));
    yield groups.map((group) => groupRow(group, sumOf.get(group.id)));
  }
}

/** Yields all payments of these groups, the newest of each first. */
async function* readPayments(
  services: ServiceCalls,
  scope: Scope,
  pages: Groups,
): AsyncGenerator<readonly PaymentRow[]> {
  for await (const groups of pages) {
    // A reply holds the payments of as many groups as fit into a message.
    for (let rest = groups; rest.length > 0;) {
      const group_ids = rest.map(({ id }) => id);
      const request = { ...scope, group_ids, limit: PAYMENTS_OF_A_GROUP };
      const { groups: found } = await services.listPaymentsOfGroups(request);
      for (const [index, { payments, next }] of found.entries()) {
        const group = rest[index];
        if (!group) continue;
        yield payments.map((payment) => paymentRow(group, payment));
        if (next)
          yield* readRows(
            (from) => services.listPayments({ ...scope, group_id: group.id, limit: FILE_PAGE, ...from }),
            (page) => page.payments.map((payment) => paymentRow(group, payment)),
            next,
          );
      }
      rest = rest.slice(found.length);
    }
  }
}
