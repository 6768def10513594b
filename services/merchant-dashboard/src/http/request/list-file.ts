import { OneOf } from '@gp/contracts';
import type { HttpRequest, HttpResponse } from '@gp/http';
import type { Queryable } from '@gp/pg';
import type { Downloads } from '../../app/downloads.ts';
import { recordDownload } from '../../app/team/record-download.ts';
import { csvLine } from '../../domain/csv.ts';
import { formatInstantForName } from '../../domain/instant.ts';
import type { Member } from './guards.ts';

/** The formats in which a list is downloaded: one for spreadsheets, and one for programs, a row a line. */
export const ListFormat = OneOf(['csv', 'jsonl']);

/** Items that are read at once for a file: the most that the services behind the lists give. */
export const FILE_PAGE = 100;

const TYPES = { csv: 'text/csv', json: 'application/json', jsonl: 'application/jsonl' } as const;

/** A column of CSV: a field of the row, or a name with the value that the row has for it. */
export type Column<Row> = (keyof Row & string) | MadeColumn<Row>;
type MadeColumn<Row> = readonly [name: string, read: (row: Row) => unknown];

export type ListFile<Row> = {
  /** What the rows are: the name of the file begins with it. */
  readonly name: string;
  readonly format: 'csv' | 'jsonl';
  readonly columns: readonly Column<Row>[];
  /** The rows; a page is read when the one before has been sent. */
  readonly pages: AsyncIterable<readonly Row[]>;
};

/** Excel takes a file without it for one in the character set of the machine, and spoils every accent. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Returns what answers a request with a list as a file, which is read and sent page by page: as fast as its reader takes it,
 * and no further once the reader has left. The first page is read, and the download is recorded, before the status is sent,
 * so that a failure of either is an ordinary error; a later one cuts the connection. Rejects with `rate_limited` when the
 * merchant has too many files on their way, or the member had too many in an hour.
 */
export function sendFiles({ db, downloads }: { readonly db: Queryable; readonly downloads: Downloads }) {
  const record = recordDownload(db);
  return async <Row extends object>(
    { signal }: Pick<HttpRequest, 'signal'>,
    member: Pick<Member, 'id' | 'merchantId' | 'name'>,
    { name, format, ...list }: ListFile<Row>,
  ): Promise<HttpResponse> => {
    downloads.begin(member.merchantId, signal);
    const texts = format === 'csv' ? writeCsv(list, signal) : writeJsonLines(list, signal);
    const body = await begun(texts);
    const fileName = `${name}-${formatInstantForName(new Date())}.${format}`;
    await record(member, fileName);
    return answerWithFile(fileName, format, body);
  };
}

/** Returns the response that sends a file piece by piece. */
export function answerWithFile(
  fileName: string,
  format: keyof typeof TYPES,
  body: AsyncIterable<string>,
): HttpResponse {
  return {
    status: 200,
    headers: { 'content-disposition': `attachment; filename="${fileName}"` },
    contentType: `${TYPES[format]}; charset=utf-8`,
    body,
  };
}

type Rows<Row> = Pick<ListFile<Row>, 'columns' | 'pages'>;

async function* writeCsv<Row>({ columns, pages }: Rows<Row>, signal: AbortSignal): AsyncGenerator<string> {
  let head = BYTE_ORDER_MARK + csvLine(columns.map((column) => (isMade(column) ? column[0] : column)));
  for await (const rows of pages) {
    if (signal.aborted) return;
    const lines = rows.map((row) => csvLine(columns.map((column) => formatCell(readCell(row, column)))));
    yield head + lines.join('');
    head = '';
  }
  yield head;
}

async function* writeJsonLines<Row>({ pages }: Rows<Row>, signal: AbortSignal): AsyncGenerator<string> {
  for await (const rows of pages) {
    if (signal.aborted) return;
    yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
}

const isMade = <Row>(column: Column<Row>): column is MadeColumn<Row> => typeof column !== 'string';

function readCell<Row>(row: Row, column: Column<Row>): unknown {
  return isMade(column) ? column[1](row) : row[column];
}

/** Texts stay as they are, nothing becomes an empty cell, and what has parts is written as JSON. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Waits for the piece of the first page, even if it is empty, and returns all pieces that have something in them. */
async function begun(texts: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const first = await texts.next();
  return (async function* () {
    if (first.done === true) return;
    if (first.value !== '') yield first.value;
    for await (const text of texts) if (text !== '') yield text;
  })();
}
