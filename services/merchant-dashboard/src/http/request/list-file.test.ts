import { describe, expect, it } from '@jest/globals';
import { openDownloads } from '../../app/downloads.ts';
import { sendFiles, type ListFile } from './list-file.ts';

type Row = { readonly name: string; readonly amount: string; readonly notes: Record<string, string> | null };
const row = (name: string): Row => ({ name, amount: '10.00', notes: name === 'Ana' ? null : { table: '7' } });

/** Pages of a list, of which each notes when it is read. */
function playPages(...pages: (readonly Row[] | Error)[]) {
  const read: number[] = [];
  async function* reading() {
    for (const [index, page] of pages.entries()) {
      read.push(index);
      if (page instanceof Error) throw page;
      yield page;
    }
  }
  return { read, pages: reading() };
}

async function collect(pieces: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

const send = async (o: Pick<ListFile<Row>, 'format' | 'pages'>, signal = new AbortController().signal) => {
  const columns = ['name', 'amount', ['table', ({ notes }: Row) => notes] as const] as const;
  const db = { query: () => Promise.resolve([]) };
  const answer = await sendFiles({ db, downloads: openDownloads() })(
    { signal },
    { id: 'u1', merchantId: 'm1', name: 'ana@merchants.example' },
    { name: 'dinners-test', columns, ...o },
  );
  return { ...answer, pieces: answer.body as AsyncGenerator<string> };
};

describe('a list as a file', () => {
  it('a CSV file has a byte order mark, the names of its columns and one line for each row, however the rows are paged (Q56)', async () => {
    const { pages } = playPages([row('Ana'), row('Zoë')], [], [row('=1+1')]);
    const { contentType, pieces } = await send({ format: 'csv', pages });
    expect(contentType).toBe('text/csv; charset=utf-8');
    expect((await collect(pieces)).join('')).toBe(
      [
        '\ufeff"name","amount","table"',
        '"Ana","10.00",""',
        '"Zoë","10.00","{""table"":""7""}"',
        `"'=1+1","10.00","{""table"":""7""}"`,
        '',
      ].join('\r\n'),
    );
  });

  it('a JSON-lines file has one line for each row, with all its fields (Q56)', async () => {
    const { pages } = playPages([row('Ana')], [], [row('=1+1')]);
    const { contentType, pieces } = await send({ format: 'jsonl', pages });
    expect(contentType).toBe('application/jsonl; charset=utf-8');
    expect((await collect(pieces)).join('')).toBe(
      '{"name":"Ana","amount":"10.00","notes":null}\n{"name":"=1+1","amount":"10.00","notes":{"table":"7"}}\n',
    );
  });

  it('a list without rows becomes a CSV file with the names of the columns, or an empty JSON-lines file (Q56)', async () => {
    for (const { pages } of [playPages([]), playPages()]) {
      const csv = await send({ format: 'csv', pages });
      expect(await collect(csv.pieces)).toEqual(['\ufeff"name","amount","table"\r\n']);
    }
    const lines = await send({ format: 'jsonl', pages: playPages([]).pages });
    expect(await collect(lines.pieces)).toEqual([]);
  });

  it('the name of a file says what it holds and when it was made (Q56)', async () => {
    const { headers } = await send({ format: 'csv', pages: playPages([]).pages });
    expect(headers?.['content-disposition']).toMatch(
      /^attachment; filename="dinners-test-20\d{6}T\d{6}Z\.csv"$/,
    );
  });

  it('a page is read when the one before was taken, and none once the reader has left (Q57)', async () => {
    const { read, pages } = playPages([row('Ana')], [row('Ben')], [row('Cem')], [row('Dora')]);
    const reader = new AbortController();
    const { pieces } = await send({ format: 'jsonl', pages }, reader.signal);
    expect(read).toEqual([0]);
    await pieces.next();
    expect(read).toEqual([0]);
    expect((await pieces.next()).value).toContain('Ben');
    expect(read).toEqual([0, 1]);
    reader.abort();
    expect(await pieces.next()).toEqual({ done: true, value: undefined });
    expect(read).toEqual([0, 1, 2]);
  });

  it('a file begins with its first page, even one without rows: a filter may leave the first of them far behind (Q57)', async () => {
    for (const format of ['csv', 'jsonl'] as const) {
      const { read, pages } = playPages([], [row('Ana')]);
      const { pieces } = await send({ format, pages });
      expect(read).toEqual([0]);
      expect((await collect(pieces)).join('')).toContain('Ana');
    }
  });

  it('a fault of the first page is thrown before an answer begins, and one of a later page ends the stream with it (Q57)', async () => {
    const lost = new Error('lost');
    await expect(send({ format: 'csv', pages: playPages(lost).pages })).rejects.toBe(lost);
    const { pieces } = await send({ format: 'csv', pages: playPages([row('Ana')], lost).pages });
    await pieces.next();
    await expect(pieces.next()).rejects.toBe(lost);
  });
});
