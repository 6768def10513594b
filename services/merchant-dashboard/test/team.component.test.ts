import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openDashboard, password, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let owner: Member;
beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  owner = await dashboard.newMerchant();
});

type Team = { members: { id: string; email: string; role: string }[]; invitations: { id: string }[] };
const team = async () => (await owner.get('/api/team')).body as unknown as Team;
const findId = async (who: Member) =>
  (await team()).members.find(({ email }) => email === who.email)?.id ?? '';
const accept = (token: string) =>
  dashboard.send('POST', '/api/invitations/accept', { body: { token, password } });

describe('an invitation', () => {
  it('an invitation is read and accepted with its link, once', async () => {
    const email = `new-${owner.id}@merchants.example`;
    expect((await owner.post('/api/team/invitations', { email, role: 'support' })).status).toBe(201);
    const token = dashboard.tokenFor(email);
    const look = () => dashboard.send('POST', '/api/invitations/look', { body: { token } });
    expect((await look()).body).toEqual({ merchant_name: 'Casa Lola', email, role: 'support' });
    const { status, cookie } = await accept(token);
    expect(status).toBe(201);
    const me = await dashboard.send('GET', '/api/me', { cookie });
    expect(me.body).toMatchObject({ merchant_id: owner.id, email, role: 'support' });
    expect([(await look()).status, (await accept(token)).status]).toEqual([401, 401]);
  });

  it('an invitation that was sent again works with its newest link only, and a withdrawn one with none', async () => {
    const email = `again-${owner.id}@merchants.example`;
    await owner.post('/api/team/invitations', { email, role: 'viewer' });
    const first = dashboard.tokenFor(email);
    await owner.post('/api/team/invitations', { email, role: 'viewer' });
    expect((await accept(first)).status).toBe(401);
    const { invitations } = await team();
    expect(invitations).toHaveLength(1);
    expect((await owner.delete(`/api/team/invitations/${invitations[0]?.id}`)).status).toBe(200);
    expect((await accept(dashboard.tokenFor(email))).status).toBe(401);
  });

  it.each(['http://evil.example/login', 'Log in at evil.example'])(
    'an invitation does not repeat the team name %s, which could be read as a link (K12)',
    async (name) => {
      const email = `linked-${owner.id}@merchants.example`;
      await dashboard.rows('update merchants set name = $1 where id = $2', [name, owner.id]);
      await owner.post('/api/team/invitations', { email, role: 'viewer' });
      const mail = dashboard.mails.findLast(({ to }) => to === email);
      expect(mail?.subject).toBe(`${owner.email} invites you to a team`);
      expect(mail?.text).not.toContain('evil');
    },
  );

  it('an invitation of a member is a 400, and so is accepting with an address of another merchant', async () => {
    const already = await owner.post('/api/team/invitations', { email: owner.email, role: 'viewer' });
    expect(already.body).toMatchObject({ code: 'validation_error', param: 'email' });
    const stranger = await dashboard.newMerchant();
    await owner.post('/api/team/invitations', { email: stranger.email, role: 'viewer' });
    expect((await accept(dashboard.tokenFor(stranger.email))).body).toMatchObject({ param: 'email' });
  });

  it('an invitation to be owner is made by owners only', async () => {
    const admin = await dashboard.colleague(owner, 'admin');
    const body = { email: `x-${owner.id}@merchants.example`, role: 'owner' };
    expect((await admin.post('/api/team/invitations', body)).status).toBe(403);
    expect((await owner.post('/api/team/invitations', body)).status).toBe(201);
  });
});

describe('a role', () => {
  it('a changed role takes effect at once: the member has to log in again', async () => {
    const viewer = await dashboard.colleague(owner, 'viewer');
    const id = await findId(viewer);
    expect((await owner.put(`/api/team/members/${id}`, { role: 'developer' })).status).toBe(200);
    expect((await viewer.get('/api/me')).status).toBe(401);
    const cookie = await dashboard.logIn(viewer.email);
    expect((await dashboard.send('GET', '/api/me', { cookie })).body).toMatchObject({ role: 'developer' });
  });

  it('the last owner keeps the role and cannot be removed', async () => {
    const id = await findId(owner);
    expect((await owner.put(`/api/team/members/${id}`, { role: 'admin' })).status).toBe(409);
    expect((await owner.delete(`/api/team/members/${id}`)).status).toBe(409);
    expect((await owner.get('/api/me')).body).toMatchObject({ role: 'owner' });
  });

  it('one of two owners who leave at the same time stays', async () => {
    const second = await dashboard.colleague(owner, 'owner');
    const [a, b] = [await findId(owner), await findId(second)];
    const replies = await Promise.all([
      owner.delete(`/api/team/members/${a}`),
      second.delete(`/api/team/members/${b}`),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const owners = await dashboard.rows(`select 1 from users where merchant_id = $1 and role = 'owner'`, [
      owner.id,
    ]);
    expect(owners).toHaveLength(1);
  });

  it('a member of another merchant is a 404', async () => {
    const stranger = await dashboard.newMerchant();
    const rows = await dashboard.rows<{ id: string }>('select id from users where email = $1', [
      stranger.email,
    ]);
    expect((await owner.delete(`/api/team/members/${rows[0]?.id}`)).status).toBe(404);
    expect((await stranger.get('/api/me')).status).toBe(200);
  });
});

describe('the audit log', () => {
  it('the audit log cannot be changed or emptied by the service’s own role', async () => {
    for (const sql of [
      `update audit_log set actor = 'nobody'`,
      'delete from audit_log',
      'truncate audit_log',
    ])
      await expect(dashboard.rows(sql)).rejects.toThrow(/permission denied|append-only/);
  });

  it('the audit log is read page by page, newest first, by owners and admins', async () => {
    for (const name of ['a', 'b', 'c']) await owner.post('/api/keys', { mode: 'test', name });
    const first = await owner.get('/api/audit?limit=2&action=api_key');
    const named = (body: typeof first.body) =>
      (body['entries'] as { details: { name: string } }[]).map(({ details }) => details.name);
    expect(named(first.body)).toEqual(['c', 'b']);
    const next = await owner.get(
      `/api/audit?limit=2&action=api_key&cursor=${String(first.body['next_cursor'])}`,
    );
    expect(named(next.body)).toEqual(['a']);
    expect(next.body['next_cursor']).toBeNull();
    const stranger = await dashboard.newMerchant();
    expect(JSON.stringify((await stranger.get('/api/audit')).body)).not.toContain('api_key');
  });

  it('the audit log is exported whole as CSV and as JSON lines, and no spreadsheet runs its content', async () => {
    await owner.post('/api/keys', { mode: 'test', name: '=HYPERLINK("x")' });
    const get = (format: string) => fetchText(`/api/audit/export?format=${format}`);
    const lines = (await get('jsonl')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toContain('api_key.created');
    const csv = (await get('csv')).split('\r\n');
    expect(csv[0]).toBe('"at","actor","action","details"');
    expect(
      csv.some((line) => line.includes('""name"": ""=HYPERLINK') || line.includes('api_key.created')),
    ).toBe(true);
    for (const field of csv
      .slice(1)
      .join(',')
      .matchAll(/(?:^|,)"([^"])/g))
      expect('=+-@').not.toContain(field[1]);
  });

  const fetchText = async (path: string): Promise<string> => {
    const { port } = dashboard.server;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie: owner.cookie } });
    return response.text();
  };
});
