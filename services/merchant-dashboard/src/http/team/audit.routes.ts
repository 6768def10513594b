import { Uuid } from '@gp/contracts';
import type { Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import { auditPage, exportAudit, type AuditRow } from '../../app/team/audit.ts';
import { closed } from '../../app/input/input.ts';
import type { WebParts } from '../../app/ports.ts';
import { queryReader } from '../../app/input/reader.ts';
import type { AuditEntry, AuditPage } from '../api.ts';
import { guards } from '../request/guards.ts';
import { ListFormat, sendFiles } from '../request/list-file.ts';

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
const readFormat = queryReader(Type.Object({ format: ListFormat }, closed));
const COLUMNS = ['at', 'actor', 'action', 'details'] as const;

/** Routes of the audit log: read page by page, or exported whole. */
export function auditRoutes(parts: WebParts): Route[] {
  const { db } = parts;
  const { allowed } = guards(db);
  const sendFile = sendFiles(parts);
  return [
    allowed('audit.read', ['GET', '/api/audit'], async ({ query }, { merchantId }) => {
      const { limit = DEFAULT_LIMIT, cursor, action } = readPage(query);
      const filter = { before: cursor ?? null, action: action ?? null };
      const { rows, next } = await auditPage(db, merchantId, filter, limit);
      return { status: 200, body: { entries: rows.map(entry), next_cursor: next } satisfies AuditPage };
    }),
    allowed('audit.read', ['GET', '/api/audit/export'], async (request, member) => {
      const { format } = readFormat(request.query);
      const pages = readEntries(exportAudit(db, member.merchantId));
      return sendFile(request, member, { name: 'audit-log', format, columns: COLUMNS, pages });
    }),
  ];
}

function entry({ at, ...row }: AuditRow): AuditEntry {
  return { ...row, at: at.toISOString() };
}

async function* readEntries(pages: AsyncIterable<AuditRow[]>): AsyncGenerator<AuditEntry[]> {
  for await (const rows of pages) yield rows.map(entry);
}
