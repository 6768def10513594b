import { OneOf, Uuid } from '@gp/contracts';
import type { Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import { auditPage, exportAudit, type AuditRow } from '../../app/team/audit.ts';
import { closed } from '../../app/input/input.ts';
import type { WebParts } from '../../app/ports.ts';
import { csvLine } from '../../domain/csv.ts';
import { queryReader } from '../../app/input/reader.ts';
import type { AuditEntry, AuditPage } from '../api.ts';
import { guards } from '../request/guards.ts';

const DEFAULT_LIMIT = 50;
const readPage = queryReader(
  Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      cursor: Type.Optional(Uuid),
      action: Type.Optional(Type.String({ pattern: '^[a-z_.]{1,60}$' })),
    },
    closed,
  ),
);
const readFormat = queryReader(Type.Object({ format: OneOf(['csv', 'jsonl']) }, closed));

/** Routes of the audit log: read page by page, or exported whole. */
export function auditRoutes({ db }: WebParts): Route[] {
  const { allowed } = guards(db);
  return [
    allowed('audit.read', ['GET', '/api/audit'], async ({ query }, { merchantId }) => {
      const { limit = DEFAULT_LIMIT, cursor, action } = readPage(query);
      const filter = { before: cursor ?? null, action: action ?? null };
      const { rows, next } = await auditPage(db, merchantId, filter, limit);
      return { status: 200, body: { entries: rows.map(entry), next_cursor: next } satisfies AuditPage };
    }),
    allowed('audit.read', ['GET', '/api/audit/export'], async ({ query }, { merchantId }) => {
      const { format } = readFormat(query);
      const lines = format === 'csv' ? asCsv : asJsonLines;
      return {
        status: 200,
        headers: { 'content-disposition': `attachment; filename="audit-log.${format}"` },
        contentType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8',
        body: lines(exportAudit(db, merchantId)),
      };
    }),
  ];
}

function entry({ at, ...row }: AuditRow): AuditEntry {
  return { ...row, at: at.toISOString() };
}

async function* asJsonLines(rows: AsyncIterable<AuditRow>): AsyncGenerator<string> {
  for await (const row of rows) yield JSON.stringify(entry(row)) + '\n';
}

async function* asCsv(rows: AsyncIterable<AuditRow>): AsyncGenerator<string> {
  yield 'at,actor,action,details\r\n';
  for await (const { at, actor, action, details } of rows)
    yield csvLine([at.toISOString(), actor, action, JSON.stringify(details)]);
}
