import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  listRequestLogs,
  type ListPosition,
  type RequestLogItem,
  type RequestOf,
  type ResponseOf,
} from '@gp/contracts';
import { AppError } from '@gp/errors';
import { eventually } from '@gp/testing';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';
import { openDownload, parseCsv, type Opened } from './support/download.ts';

type Request = RequestOf<typeof listRequestLogs>;
type Page = ResponseOf<typeof listRequestLogs>;

const uuid = (n: number) => `0198c3f0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const created_at = '2026-01-01T00:00:00.000Z';
const place = (n: number): ListPosition => ({ created_at, id: uuid(n) });
const logged = (o: Partial<RequestLogItem> = {}): RequestLogItem => ({
  id: uuid(1),
  request_id: 'req_1',
  created_at,
  method: 'GET',
  route: '/v1/events',
  path: '/v1/events',
  query: '',
  status: 200,
  error_code: null,
  duration_ms: 3,
  key_id: null,
  ...o,
});

let dashboard: Dashboard;
let member: Member;
/** The signals of the downloads so far: each aborts when its response is over. */
const signals: AbortSignal[] = [];
/** The places after which pages were asked for, by the file and by the list. */
let asked: (string | undefined)[] = [];
let answer: (request: Request) => Page | Promise<Page>;
/** Answers what a test holds back. */
let release = (): void => undefined;

beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  const { downloads } = dashboard.parts;
  const { begin } = downloads;
  Object.assign(downloads, {
    begin(merchantId: string, signal: AbortSignal) {
      begin(merchantId, signal);
      signals.push(signal);
    },
  });
  dashboard.others.serve(listRequestLogs, async (request) => {
    asked.push(request.after?.id);
    return answer(request);
  });
});
afterAll(() => dashboard?.close());
beforeEach(() => {
  signals.splice(0);
  asked = [];
});

// Neither the server nor the bus closes before every request has its answer.
afterEach(() => release());

const open = (format: string, who = member): Promise<Opened> =>
  openDownload(dashboard.server.port, `/api/test/requests/export?format=${format}`, who.cookie);

/** Has the first page of a file answered at once, and the second one not before it is released. */
function holdSecondPage(): void {
  const released = Promise.withResolvers<void>();
  answer = async ({ after }) => {
    if (!after) return { request_logs: [logged()], next: place(1) };
    await released.promise;
    return { request_logs: [], next: after.id === uuid(1) ? place(2) : null };
  };
  release = released.resolve;
}

it('the file of requests names the key of each, and goes on after a page without rows (Q40, Q56)', async () => {
  const key_id = String((await member.post('/api/keys', { mode: 'test', name: 'server' })).body['id']);
  const pages = [
    { request_logs: [], next: place(1) },
    { request_logs: [logged({ key_id, status: 404, error_code: 'not_found' })], next: place(2) },
    { request_logs: [logged({ id: uuid(2) })], next: null },
  ];
  answer = () => pages[asked.length - 1]!;
  const rows = parseCsv(await (await open('csv')).read());
  expect(rows).toMatchObject([
    { created_at, request_id: 'req_1', method: 'GET', path: '/v1/events', status: '404', duration_ms: '3' },
    { id: uuid(2), error_code: '', key_id: '', key_name: '', key_last4: '' },
  ]);
  expect(rows[0]).toMatchObject({ error_code: 'not_found', key_id, key_name: 'server' });
  expect(asked).toEqual([undefined, uuid(1), uuid(2)]);
});

it('a fault before the first page is an ordinary error, not an empty file (Q57)', async () => {
  answer = () => Promise.reject(new AppError('service_unavailable'));
  for (const format of ['csv', 'jsonl']) {
    const { status, headers, read } = await open(format);
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 503,
      type: 'application/json; charset=utf-8',
    });
    expect(headers['content-disposition']).toBeUndefined();
    expect(JSON.parse(await read())).toMatchObject({ code: 'service_unavailable' });
  }
});

it('a fault of a later page cuts the connection, so that the file does not look complete (Q57)', async () => {
  answer = ({ after }) => {
    if (after) throw new AppError('service_unavailable');
    return { request_logs: [logged()], next: place(1) };
  };
  for (const format of ['csv', 'jsonl']) {
    const { status, read } = await open(format);
    expect(status).toBe(200);
    await expect(read()).rejects.toThrow();
  }
});

it('a download is in the audit log with the name of its file, without its filter, and not when nothing was sent (Q58)', async () => {
  const viewer = await dashboard.colleague(member, 'viewer');
  const recorded = async () =>
    (await member.get('/api/audit?action=file')).body['entries'] as { actor: string; details: object }[];
  const before = await recorded();
  answer = () => ({ request_logs: [logged()], next: null });
  const path = '/api/test/requests/export?path=/v1/secret&format=jsonl';
  const { headers, read } = await openDownload(dashboard.server.port, path, viewer.cookie);
  await read();
  answer = () => Promise.reject(new AppError('service_unavailable'));
  await (await open('csv', viewer)).read();
  const after = await recorded();
  expect(after).toHaveLength(before.length + 1);
  const [entry] = after;
  expect(entry).toMatchObject({ action: 'file.downloaded', actor: viewer.email });
  const { name } = entry!.details as { name: string };
  expect(name).toMatch(/^requests-test-20\d{6}T\d{6}Z\.jsonl$/);
  expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`);
  expect(entry!.details).toEqual({ name });
});

it('a member has 120 files in an hour, so that nobody buries the entries of others in the audit log (Q58)', async () => {
  const viewer = await dashboard.colleague(member, 'viewer');
  answer = () => ({ request_logs: [], next: null });
  for (let n = 0; n < 120; n++) expect(await (await open('jsonl', viewer)).read()).toBe('');
  const refused = await open('jsonl', viewer);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
  expect(JSON.parse(await refused.read())).toMatchObject({ code: 'rate_limited' });
  expect(await (await open('jsonl')).read()).toBe('');
});

it('after its reader has left, no further page of a file is read (Q57)', async () => {
  holdSecondPage();
  const { leave } = await open('jsonl');
  await eventually(() => asked.includes(uuid(1)) || undefined);
  const [signal] = signals;
  const gone = once(signal!, 'abort');
  leave();
  await gone;
  release();
  // What the file would have asked for is asked before these.
  for (let n = 0; n < 3; n++) await member.get('/api/test/requests');
  expect(asked.filter((after) => after !== undefined)).toEqual([uuid(1)]);
});

it('a merchant has four files on their way at once; the fifth is a 429 until one has ended (Q57)', async () => {
  holdSecondPage();
  const other = await dashboard.newMerchant();
  const files = [await open('csv'), await open('jsonl'), await open('csv'), await open('csv')];
  const refused = await open('csv');
  expect({ status: refused.status, wait: refused.headers['retry-after'] }).toEqual({
    status: 429,
    wait: '5',
  });
  expect(JSON.parse(await refused.read())).toMatchObject({ code: 'rate_limited' });
  expect((await member.get('/api/test/requests')).status).toBe(200);
  const theirs = await open('csv', other);
  expect(theirs.status).toBe(200);
  const [signal] = signals;
  const gone = once(signal!, 'abort');
  files[0]!.leave();
  await gone;
  const next = await open('csv');
  expect(next.status).toBe(200);
  release();
  for (const { read } of [...files.slice(1), theirs, next]) expect((await read()).length).toBeGreaterThan(0);
});
