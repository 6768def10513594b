import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseApiKeyMode, type ApiKeyRecord } from '@gp/contracts';
import { openDashboard, pepper, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());
beforeEach(async () => {
  member = await dashboard.newMerchant();
  await dashboard.rows('delete from outbox');
  dashboard.forget();
});

const create = (mode = 'test', name = 'server', who = member) => who.post('/api/keys', { mode, name });
const list = async (mode: string, who = member) =>
  (await who.get(`/api/keys?mode=${mode}`)).body['keys'] as unknown[];
const listPublished = async () =>
  (await dashboard.rows<{ payload: ApiKeyRecord }>('select payload from outbox order by position')).map(
    ({ payload }) => payload,
  );
const computeDigest = (key: string) => createHmac('sha256', pepper).update(key).digest('hex');

describe('201 created', () => {
  it.each(['test', 'live'])('a %s key has the published form, its checksum included', async (mode) => {
    const { status, body } = await create(mode);
    expect(status).toBe(201);
    expect(body['key']).toMatch(new RegExp(`^sk_${mode}_[0-9A-Za-z]{38}$`));
    expect(parseApiKeyMode(body['key'] as string)).toBe(mode);
  });

  it('a new key is shown once: the list has its last characters only', async () => {
    const { body } = await create();
    const { key, ...shown } = body;
    expect(await list('test')).toEqual([{ ...shown, seen_in_browsers: [] }]);
    expect(shown).toEqual({
      id: expect.any(String),
      mode: 'test',
      name: 'server',
      prefix: 'sk_test_',
      last4: (key as string).slice(-4),
      created_by: member.email,
      has_maker_left: false,
      scopes: null,
      expires_at: null,
      allowed_addresses: [],
      created_at: expect.stringMatching(/Z$/),
      revoked_at: null,
      ends_at: null,
      last_used_at: null,
      last_used_from: null,
    });
  });

  it('a new key is stored as an HMAC under the pepper, and nothing stored reveals it', async () => {
    const { body } = await create();
    const key = body['key'] as string;
    const stored = await dashboard.rows(
      `select encode(digest, 'hex') as digest, pepper_id from api_keys where id = $1`,
      [body['id']],
    );
    expect(stored).toEqual([{ digest: computeDigest(key), pepper_id: 'p1' }]);
    for (const table of ['api_keys', 'outbox', 'audit_log'])
      expect(JSON.stringify(await dashboard.rows(`select t::text from ${table} t`))).not.toContain(
        key.slice(8, -4),
      );
  });

  it('a new key publishes its digest to the edge', async () => {
    const { body } = await create();
    expect(await dashboard.receive(1)).toEqual([
      {
        merchant_id: member.id,
        mode: 'test',
        key_id: body['id'],
        digest: computeDigest(body['key'] as string),
        pepper_id: 'p1',
        revoked_at: null,
        revision: 1,
      },
    ]);
  });

  it('a key of one mode is not shown in the other', async () => {
    await create('live');
    expect(await list('test')).toEqual([]);
    expect(await list('live')).toHaveLength(1);
  });

  it('a new key is audited with its creator, and without the key', async () => {
    const { body } = await create();
    const audit = await dashboard.rows(
      'select actor, action, details from audit_log where merchant_id = $1',
      [member.id],
    );
    expect(audit).toContainEqual({
      actor: member.email,
      action: 'api_key.created',
      details: { mode: 'test', key_id: body['id'], name: 'server' },
    });
  });
});

describe('revisions', () => {
  it('revisions grow in the order in which the changes were committed, many at a time', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, (_, at) => create('test', `key ${at}`)));
    await Promise.all(replies.map(({ body }) => member.delete(`/api/keys/${String(body['id'])}`)));
    const records = await listPublished();
    expect(records.map(({ revision }) => revision)).toEqual(Array.from({ length: 24 }, (_, at) => at + 1));
  });

  it('revisions of modes and merchants are counted apart', async () => {
    const other = await dashboard.newMerchant();
    await create('test');
    await create('live');
    await create('test', 'server', other);
    expect((await listPublished()).map(({ revision }) => revision)).toEqual([1, 1, 1]);
  });
});

describe('200 revoked', () => {
  it('a revoked key stays in the list as revoked, and its announcement has a higher revision', async () => {
    const id = String((await create()).body['id']);
    const { status, body } = await member.delete(`/api/keys/${id}`);
    expect(status).toBe(200);
    expect(body['revoked_at']).toMatch(/Z$/);
    expect(await list('test')).toEqual([{ ...body, seen_in_browsers: [] }]);
    expect(await listPublished()).toMatchObject([
      { key_id: id, revoked_at: null, revision: 1 },
      { key_id: id, revoked_at: body['revoked_at'], revision: 2 },
    ]);
  });

  it('a repeated revocation changes and publishes nothing more', async () => {
    const id = String((await create()).body['id']);
    const first = await member.delete(`/api/keys/${id}`);
    expect((await member.delete(`/api/keys/${id}`)).body).toEqual(first.body);
    expect(await listPublished()).toHaveLength(2);
    const audit = await dashboard.rows(`select 1 from audit_log where merchant_id = $1 and action = $2`, [
      member.id,
      'api_key.revoked',
    ]);
    expect(audit).toHaveLength(1);
  });
});

describe('404 not found', () => {
  it('a key of another merchant is a 404, like one that does not exist', async () => {
    const other = await dashboard.newMerchant();
    const theirs = String((await create('test', 'theirs', other)).body['id']);
    const answers = [];
    for (const id of [theirs, '0198c3f0-0000-7000-8000-00000000000a', 'x', '..%2Fkeys']) {
      const { status, body } = await member.delete(`/api/keys/${id}`);
      answers.push({ status, ...body, request_id: null });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, code: 'not_found', message: 'API key not found' });
    expect(await list('test', other)).toMatchObject([{ id: theirs, revoked_at: null }]);
  });
});

describe('400 refused', () => {
  it.each([
    ['mode', { mode: 'prod' }],
    ['mode', { mode: ['test'] }],
    ['name', { name: '' }],
    ['name', { name: '  ' }],
    ['name', { name: 'a'.repeat(101) }],
    ['name', { name: 'a\u0000' }],
    ['name', { name: '\ud800' }],
    ['key', { key: 'sk_test_mine' }],
  ])('a new key with %s of %j is a 400', async (param, changed) => {
    const { status, body } = await member.post('/api/keys', { mode: 'test', name: 'server', ...changed });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'validation_error', param });
  });

  it.each(['/api/keys', '/api/keys?mode=', '/api/keys?mode=all', '/api/keys?mode=test&x=1'])(
    'the list of keys with %s is a 400',
    async (path) => {
      expect((await member.get(path)).status).toBe(400);
    },
  );
});
