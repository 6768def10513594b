import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { findRequestLog, listRequestLogs, type RequestLogItem, type RequestOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

const id = '0198c3f0-0000-7000-8000-00000000000a';
const item: RequestLogItem = {
  id,
  request_id: 'req_1',
  created_at: '2026-01-01T00:00:00.000Z',
  method: 'GET',
  route: '/v1/events',
  path: '/v1/events',
  query: '',
  status: 200,
  error_code: null,
  duration_ms: 3,
  key_id: null,
};
const { key_id: _key, ...shown } = item;

let dashboard: Dashboard;
let member: Member;
let logged: readonly RequestLogItem[] = [];
const asked: RequestOf<typeof listRequestLogs>[] = [];
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  dashboard.others.serve(listRequestLogs, async (request) => {
    asked.push(request);
    return { request_logs: [...logged], next: { created_at: item.created_at, id } };
  });
  dashboard.others.serve(findRequestLog, async ({ merchant_id, id: wanted }) => {
    if (merchant_id !== member.id || wanted !== id) throw notFound('request log');
    return { ...item, request_body: { a: 1 }, response_body: null };
  });
});
afterAll(() => dashboard?.close());
beforeEach(() => void asked.splice(0));

it('a logged request names its key, also one that was revoked, and none of another merchant (Q40)', async () => {
  const make = async (by: Member, name: string) =>
    String((await by.post('/api/keys', { mode: 'test', name })).body['id']);
  const other = await dashboard.newMerchant();
  const [own, foreign] = [await make(member, 'server'), await make(other, 'secret name')];
  await member.delete(`/api/keys/${own}`);
  logged = [null, own, foreign].map((key_id) => ({ ...item, key_id }));
  const { status, body } = await member.get('/api/test/requests');
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      requests: [
        { ...shown, key: null },
        { ...shown, key: { id: own, name: 'server', last4: expect.stringMatching(/^\w{4}$/) } },
        { ...shown, key: { id: foreign, name: null, last4: null } },
      ],
      next_cursor: expect.any(String),
    },
  });
});

it('a page of the log is asked for by the cursor of the one before, with its filters (Q19, Q40)', async () => {
  logged = [];
  const filter = 'limit=5&status_class=4xx&method=GET&path=/v1/events&created_after=2026-01-01T00:00:00Z';
  const { body } = await member.get(`/api/live/requests?${filter}`);
  await member.get(`/api/live/requests?${filter}&cursor=${String(body['next_cursor'])}`);
  const first = {
    merchant_id: member.id,
    mode: 'live',
    limit: 5,
    status_class: '4xx',
    method: 'GET',
    path: '/v1/events',
    created_after: '2026-01-01T00:00:00.000Z',
  };
  expect(asked).toEqual([first, { ...first, after: { created_at: item.created_at, id } }]);
});

it('a logged request is shown with its bodies to its merchant, and is a 404 to another one (S9, Q40)', async () => {
  const path = `/api/test/requests/${id}`;
  const { status, body } = await member.get(path);
  expect({ status, body }).toEqual({
    status: 200,
    body: { ...shown, key: null, request_body: { a: 1 }, response_body: null },
  });
  expect((await (await dashboard.newMerchant()).get(path)).status).toBe(404);
  expect((await member.get('/api/test/requests/x')).status).toBe(404);
});
