import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { groupChanged, type Mode } from '@gp/contracts';
import { eventually } from '@gp/testing';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';
import { openStream, type EventStream } from './support/event-stream.ts';

let dashboard: Dashboard;
let member: Member;
const open: EventStream[] = [];
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
});
afterAll(() => dashboard?.close());
afterEach(() => open.splice(0).forEach((stream) => stream.close()));

const pathOf = (mode: Mode): string => `/api/${mode}/changes`;

async function follow(who: Pick<Member, 'cookie'> = member, mode: Mode = 'test'): Promise<EventStream> {
  const stream = await openStream(dashboard.server.port, pathOf(mode), who);
  open.push(stream);
  return stream;
}
/** A place is given back some turns of the event loop after its reader has left. */
const followOnceThereIsRoom = (who?: Pick<Member, 'cookie'>, mode?: Mode): Promise<EventStream> =>
  eventually(async () => {
    const stream = await follow(who, mode);
    return stream.status === 200 ? stream : undefined;
  });

/** Announces a change as the ledger does; returns the id of the group. */
function change(of: Pick<Member, 'id'>, mode: Mode, group_id: string = randomUUID()): string {
  const note = { merchant_id: of.id, mode, group_id, version: 2 };
  dashboard.others.announce(`${groupChanged.subject}.${group_id}`, note);
  return group_id;
}

const named = (...ids: string[]) => ({ name: 'changed', data: { group_payments: ids } });

describe('GET /api/{mode}/changes 200', () => {
  it('a stream begins at once, may not be stored or buffered, and names what changed without telling it (Q53)', async () => {
    const stream = await follow();
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(await stream.next()).toEqual({ name: 'ready', data: { quiet_ms: expect.any(Number) } });
    const id = change(member, 'test');
    expect(await stream.nextChange()).toEqual(named(id));
  });

  it('a stream has the changes of its session’s merchant and of its mode only (S9, Q53)', async () => {
    const stranger = await dashboard.newMerchant();
    const readers = [
      { of: member, mode: 'test', stream: await followOnceThereIsRoom() },
      { of: member, mode: 'live', stream: await follow(member, 'live') },
      { of: stranger, mode: 'test', stream: await follow(stranger) },
    ] as const;
    for (const { stream } of readers) await stream.next();
    const ids = readers.map(({ of, mode }) => change(of, mode));
    for (const [index, { stream }] of readers.entries())
      expect(await stream.nextChange()).toEqual(named(ids[index] ?? ''));
    const again = readers.map(({ of, mode }) => change(of, mode)).toReversed();
    for (const [index, { stream }] of readers.toReversed().entries())
      expect(await stream.nextChange()).toEqual(named(again[index] ?? ''));
  });

  it('every role follows, and hears the same: ids', async () => {
    const merchant = await dashboard.newMerchant();
    const streams = [
      await follow(await dashboard.colleague(merchant, 'viewer')),
      await follow(await dashboard.colleague(merchant, 'owner')),
    ];
    for (const stream of streams) await stream.next();
    const id = change(merchant, 'test');
    for (const stream of streams) expect(await stream.nextChange()).toEqual(named(id));
  });

  it('a note that names no merchant, as an older ledger sends it, and one that is no note reach nobody', async () => {
    const stream = await followOnceThereIsRoom();
    await stream.next();
    const subject = `${groupChanged.subject}.${randomUUID()}`;
    for (const note of [{ group_id: randomUUID(), version: 2 }, null, 'junk', [], { merchant_id: member.id }])
      dashboard.others.announce(subject, note);
    const id = change(member, 'test');
    expect(await stream.nextChange()).toEqual(named(id));
  });

  it('a stream that is opened again learns for how long nothing has changed', async () => {
    const merchant = await dashboard.newMerchant();
    const first = await follow(merchant);
    await first.next();
    change(merchant, 'test');
    await first.nextChange();
    const sinceMs = performance.now();
    const again = await follow(merchant);
    const ready = await again.next();
    const other = await (await follow(merchant, 'live')).next();
    const elapsedMs = performance.now() - sinceMs;
    expect(ready?.data['quiet_ms']).toBeLessThan(elapsedMs + 5_000);
    expect(other?.data['quiet_ms']).toBeGreaterThanOrEqual(Number(ready?.data['quiet_ms']));
  });

  it('a stream is told to expect anything after the bus was away', async () => {
    const stream = await followOnceThereIsRoom();
    await stream.next();
    await dashboard.nats.down();
    await dashboard.nats.up();
    expect(await stream.nextChange()).toEqual({ name: 'missed', data: {} });
    await eventually(() => dashboard.others.isConnected() || undefined);
    const id = change(member, 'test');
    expect(await stream.nextChange()).toEqual(named(id));
  });
});

describe('the end of a stream', () => {
  const isOver = async (stream: EventStream): Promise<void> => {
    expect(await stream.nextChange()).toEqual({ name: 'end', data: {} });
    expect(await stream.next()).toBeUndefined();
  };
  const begun = async (who: Pick<Member, 'cookie'>): Promise<EventStream> => {
    const stream = await follow(who);
    expect(await stream.next()).toMatchObject({ name: 'ready' });
    return stream;
  };
  const hashCookie = (cookie: string) =>
    createHash('sha256')
      .update(/gp_session=([\w-]*)/.exec(cookie)?.[1] ?? '')
      .digest();
  const rest = (cookie: string, by: string) =>
    dashboard.rows(`update sessions set last_seen_at = last_seen_at - $2::interval where id_hash = $1`, [
      hashCookie(cookie),
      by,
    ]);

  it('a stream ends with the logout, the removal, a new role or the idleness of its user, and no other stream (Q53)', async () => {
    const owner = await dashboard.newMerchant();
    const [left, removed, promoted, idle, alive] = [
      await dashboard.colleague(owner, 'viewer'),
      await dashboard.colleague(owner, 'viewer'),
      await dashboard.colleague(owner, 'viewer'),
      await dashboard.colleague(owner, 'viewer'),
      await dashboard.colleague(owner, 'viewer'),
    ];
    const streams = [await begun(left), await begun(removed), await begun(promoted), await begun(idle)];
    const stays = await begun(alive);
    await dashboard.endStreams();
    await left.post('/api/logout');
    const { members } = (await owner.get('/api/team')).body as { members: { id: string; email: string }[] };
    const idOf = ({ email }: Member) => members.find((each) => each.email === email)?.id ?? '';
    expect((await owner.delete(`/api/team/members/${idOf(removed)}`)).status).toBeLessThan(300);
    expect((await owner.put(`/api/team/members/${idOf(promoted)}`, { role: 'support' })).status).toBe(200);
    await rest(idle.cookie, '30 minutes');
    await dashboard.endStreams();
    for (const stream of streams) await isOver(stream);
    const id = change(owner, 'test');
    expect(await stays.nextChange()).toEqual(named(id));
    for (const { cookie } of [left, removed, promoted, idle])
      expect((await dashboard.send('GET', pathOf('test'), { cookie })).status).toBe(401);
  });

  it('a stream ends when the team demands a second factor that its user does not have', async () => {
    const owner = await dashboard.newMerchant();
    const stream = await begun(await dashboard.colleague(owner, 'viewer'));
    await dashboard.rows('update merchants set requires_second_factor = true where id = $1', [owner.id]);
    await dashboard.endStreams();
    await isOver(stream);
  });

  it('a session becomes idle although its page follows, and loads by itself (Q54)', async () => {
    const { cookie } = await dashboard.colleague(member, 'viewer');
    await rest(cookie, '29 minutes');
    const stream = await begun({ cookie });
    const headers = { 'x-unattended': '1' };
    expect((await dashboard.send('GET', '/api/me', { cookie, headers })).status).toBe(200);
    await rest(cookie, '1 minute');
    await dashboard.endStreams();
    await isOver(stream);
    expect((await dashboard.send('GET', '/api/me', { cookie, headers })).status).toBe(401);
    expect((await dashboard.send('GET', '/api/me', { cookie })).status).toBe(401);
  });
});

describe('a stream is refused', () => {
  it('a session, a user and a merchant have a limited number of streams; one that ended makes room (Q53)', async () => {
    const merchant = await dashboard.newMerchant();
    const [ana, ben] = [
      await dashboard.colleague(merchant, 'viewer'),
      await dashboard.colleague(merchant, 'viewer'),
    ];
    const first = await follow(ana);
    await follow(ana, 'live');
    await follow(ana);
    const refused = await dashboard.send('GET', pathOf('test'), { cookie: ana.cookie });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.headers['retry-after']).toBe('10');
    const elsewhere = { cookie: await dashboard.logIn(ana.email) };
    await follow(elsewhere);
    expect((await follow(elsewhere)).status).toBe(429);
    await follow(ben);
    await follow(ben);
    expect((await follow(merchant)).status).toBe(429);
    first.close();
    expect((await followOnceThereIsRoom(merchant)).status).toBe(200);
    expect((await followOnceThereIsRoom()).status).toBe(200);
  });

  it('a stream that another site asks for is a 401', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const { cookie } = member;
    expect((await dashboard.send('GET', pathOf('live'), { cookie, headers })).status).toBe(401);
  });
});
