import { afterEach, expect, it, jest } from '@jest/globals';
import type { Mode } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { changeStreams, type StreamLimits, type StreamMessage } from './change-streams.ts';
import { endStreams } from './end-streams.ts';

const member = (id: string, o: { merchantId?: string; sessionId?: string } = {}) => ({
  id,
  merchantId: o.merchantId ?? 'm1',
  sessionId: o.sessionId ?? `session of ${id}`,
});
const change = (group_id: string, o: { merchant_id?: string; mode?: Mode } = {}) => ({
  merchant_id: o.merchant_id ?? 'm1',
  mode: o.mode ?? ('test' as const),
  group_id,
});

let gone = new AbortController();
afterEach(() => {
  gone.abort();
  gone = new AbortController();
});

function openStreams(limits: Partial<StreamLimits> = {}, heartbeatMs = 60_000) {
  const most = { most: 99, perMerchant: 99, perUser: 99, perSession: 99 };
  const streams = changeStreams({ limits: { ...most, ...limits }, heartbeatMs, paceMs: 0 });
  const open = (who = member('ana'), o: { mode?: Mode; signal?: AbortSignal } = {}) =>
    streams
      .open({ member: who, mode: o.mode ?? 'test', signal: o.signal ?? gone.signal })
      [Symbol.asyncIterator]();
  return { streams, open };
}

const next = async (stream: AsyncIterator<StreamMessage>): Promise<StreamMessage> =>
  ((await stream.next()) as IteratorYieldResult<StreamMessage>).value;

it('a stream names the group payments of its own merchant and mode that have changed, and no others (S9)', async () => {
  const { streams, open } = openStreams();
  const stream = open();
  expect(await next(stream)).toEqual({ kind: 'ready', quietMs: expect.any(Number) });
  streams.take(change('g1', { merchant_id: 'm2' }));
  streams.take(change('g2', { mode: 'live' }));
  streams.take(change('g3'));
  expect(await next(stream)).toEqual({ kind: 'changed', groupIds: ['g3'] });
});

it('a slow reader has nothing queued but the ids of one message, and is sent to everything when they are many', async () => {
  const { streams, open } = openStreams();
  const stream = open();
  await next(stream);
  for (let n = 0; n < 1_000; n++) streams.take(change(`g${n % 5}`));
  expect(await next(stream)).toEqual({ kind: 'changed', groupIds: ['g0', 'g1', 'g2', 'g3', 'g4'] });
  for (let n = 0; n < 1_000; n++) streams.take(change(`g${n}`));
  expect(await next(stream)).toEqual({ kind: 'missed' });
  streams.take(change('last'));
  expect(await next(stream)).toEqual({ kind: 'changed', groupIds: ['last'] });
});

it('every stream is told when changes were missed', async () => {
  const { streams, open } = openStreams();
  const all = [open(), open(member('ben', { merchantId: 'm2' }), { mode: 'live' })];
  for (const stream of all) await next(stream);
  streams.missAll();
  for (const stream of all) expect(await next(stream)).toEqual({ kind: 'missed' });
});

it('a stream learns for how long nothing has changed before it', async () => {
  let now = 1_000;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const { streams, open } = openStreams();
  now = 2_000;
  streams.take(change('g1'));
  now = 62_000;
  const [own, other] = [open(), open(member('ben'), { mode: 'live' })];
  clock.mockRestore();
  expect(await next(own)).toEqual({ kind: 'ready', quietMs: 60_000 });
  expect(await next(other)).toEqual({ kind: 'ready', quietMs: 61_000 });
});

it('a stream sends a sign of life while nothing changes', async () => {
  const { open } = openStreams({}, 1);
  const stream = open();
  await next(stream);
  expect([await next(stream), await next(stream)]).toEqual([{ kind: 'heartbeat' }, { kind: 'heartbeat' }]);
});

it('the streams of sessions that are over end, and no others', async () => {
  const { streams, open } = openStreams();
  const [ended, alive] = [open(member('ana')), open(member('ben'))];
  for (const stream of [ended, alive]) await next(stream);
  const asked: (readonly string[])[] = [];
  await streams.endDead(async (ids) => {
    asked.push(ids);
    return new Set(['session of ben']);
  });
  expect(asked).toEqual([['session of ana', 'session of ben']]);
  expect(await next(ended)).toEqual({ kind: 'end' });
  expect((await ended.next()).done).toBe(true);
  streams.take(change('g1'));
  expect(await next(alive)).toEqual({ kind: 'changed', groupIds: ['g1'] });
});

it('the end of sessions is looked for again as soon as a first stream opens, and rests while there is none', async () => {
  const { streams, open } = openStreams();
  const looking = endStreams({} as Db, streams);
  let wakes = 0;
  looking.onWake?.(() => (wakes += 1));
  expect(looking.idleMs).toBe(3_600_000);
  const first = new AbortController();
  open(member('ana'), { signal: first.signal });
  open(member('ben'));
  expect([wakes, looking.idleMs]).toEqual([1, 3_000]);
  first.abort();
  gone.abort();
  expect([wakes, looking.idleMs]).toEqual([1, 3_600_000]);
  open(member('cleo'), { signal: new AbortController().signal });
  expect(wakes).toBe(2);
});

it('no session is looked up where no stream is open', async () => {
  const { streams } = openStreams();
  await streams.endDead(() => Promise.reject(new Error('was asked')));
});

it.each<[string, Partial<StreamLimits>, string]>([
  ['a session', { perSession: 2 }, 'rate_limited'],
  ['a user', { perUser: 2 }, 'rate_limited'],
  ['a merchant', { perMerchant: 2 }, 'rate_limited'],
  ['a process', { most: 2 }, 'service_unavailable'],
])(
  '%s has a limited number of streams, and a stream that has ended gives its place back',
  (_who, limits, code) => {
    const { open } = openStreams(limits);
    const first = new AbortController();
    open(member('ana'), { signal: first.signal });
    open(member('ana'), { mode: 'live' });
    expect(() => open(member('ana'))).toThrow(expect.objectContaining({ code }));
    first.abort();
    open(member('ana'));
  },
);

it('the limits of one merchant, user and session leave the others alone', () => {
  const { open } = openStreams({ perSession: 1, perUser: 2, perMerchant: 3 });
  open(member('ana', { sessionId: 's1' }));
  open(member('ana', { sessionId: 's2' }));
  open(member('ben'));
  expect(() => open(member('cleo'))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  open(member('dan', { merchantId: 'm2' }));
});

it('a reader that was gone before its stream began leaves nothing behind', async () => {
  const { open } = openStreams({ perSession: 1 });
  gone.abort();
  const stream = open();
  await stream.next();
  expect((await stream.next()).done).toBe(true);
  open();
});
