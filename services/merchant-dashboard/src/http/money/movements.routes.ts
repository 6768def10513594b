import { CurrencyCode, MovementKind, PspCode, publicApi } from '@gp/contracts';
import type { Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import { closed } from '../../app/input/input.ts';
import type { WebParts } from '../../app/ports.ts';
import { queryReader } from '../../app/input/reader.ts';
import type { MovementPage } from '../api.ts';
import { formatCursor, readRows, toListOptions } from '../request/cursor.ts';
import { guards } from '../request/guards.ts';
import { FILE_PAGE, ListFormat, sendFiles } from '../request/list-file.ts';
import { perMode, toScope } from '../request/per-mode.ts';
import { MOVEMENT_COLUMNS, movementRow, movementView, totalView } from './movements.view.ts';

const filter = {
  ...publicApi.GetStatementQuery.properties,
  kind: Type.Optional(MovementKind),
  currency: Type.Optional(CurrencyCode),
  psp_code: Type.Optional(PspCode),
};
const { properties: place } = publicApi.ListCustomersQuery;
const readList = queryReader(Type.Object({ ...filter, limit: place.limit, cursor: place.cursor }, closed));
const readExport = queryReader(Type.Object({ ...filter, format: ListFormat }, closed));
const DEFAULT_LIMIT = 20;

/** Routes of a mode's movements of money, and of all that a filter matches as a file. */
export function movementRoutes(parts: WebParts): Route[] {
  const { db, services } = parts;
  const { allowed } = guards(db);
  const sendFile = sendFiles(parts);
  return perMode(({ mode, at }) => [
    allowed('read', ['GET', at('movements')], async ({ query }, member) => {
      const { limit = DEFAULT_LIMIT, cursor, ...asked } = readList(query);
      const page = { limit, with_totals: true, ...toListOptions(cursor) };
      const found = await services.listMovements({ ...toScope(member, mode), ...asked, ...page });
      const { from, to, time_zone, movements, totals = [], next } = found;
      const body: MovementPage = {
        ...{ from, to, time_zone },
        movements: movements.map(movementView),
        totals: totals.map(totalView),
        next_cursor: formatCursor(next),
      };
      return { status: 200, body };
    }),
    allowed('read', ['GET', at('movements/export')], async (request, member) => {
      const { format, ...asked } = readExport(request.query);
      const page = { ...toScope(member, mode), ...asked, limit: FILE_PAGE, with_totals: false };
      const pages = readRows(
        (from) => services.listMovements({ ...page, ...from }),
        ({ movements }) => movements.map(movementRow),
      );
      return sendFile(request, member, {
        name: `movements-${mode}`,
        format,
        columns: MOVEMENT_COLUMNS,
        pages,
      });
    }),
  ]);
}
