import { expect, it } from '@jest/globals';
import type { GroupPicture } from '../domain/picture.ts';
import type { LiveGroups } from './live-groups.ts';
import { payerStreams, type StreamMessage } from './payer-streams.ts';

type Who = { readonly group: string; readonly key: string; readonly epoch?: number | undefined };
const reader = (group: string, key: string, epoch: number | undefined = 0): Who => ({ group, key, epoch });

/** One group whose picture a test sets. */
function group() {
  const facts = { is_collecting: true, awaits_payers: true, is_settled: false };
  const expires_at = '2030-01-01T00:00:00.000Z';
  let picture: GroupPicture = { rev: 1, state: 'open', facts, expires_at, slots: [] };
  const followers = new Set<() => void>();
  const live: LiveGroups = {
    look: async () => picture,
    follow: async (_scope, onChange) => {
      followers.add(onChange);
      return { picture: () => picture, leave: () => void followers.delete(onChange) };
    },
  };
  return {
    live,
    followers,
    change(changed: Partial<GroupPicture>) {
      picture = { ...picture, ...changed };
      for (const notify of followers) notify();
    },
  };
}

function openStreams(o: { perGroup?: number; perAddress?: number; heartbeatMs?: number } = {}) {
  const shown = group();
  const limits = { most: 9, perToken: 2, perGroup: o.perGroup ?? 9, perAddress: o.perAddress ?? 9 };
  const heartbeatMs = o.heartbeatMs ?? 60_000;
  const revoked = new Set<string>();
  const streams = payerStreams({ live: shown.live, limits, heartbeatMs });
  const gone = new AbortController();
  const open = async ({ group: group_id, key, epoch } = reader('g1', 'a'), address = '203.0.113.9') => {
    const messages = await streams.open({
      reader: {
        scope: { merchant_id: 'm1', mode: 'test', group_id },
        key,
        epoch,
        endsAtMs: Date.now() + 60_000,
        isGood: async () => !revoked.has(`${group_id}.${key}`),
      },
      address,
      knownRev: undefined,
      signal: gone.signal,
    });
    return messages[Symbol.asyncIterator]();
  };
  return { ...shown, streams, revoked, gone, open };
}

const nextMessage = async (stream: AsyncIterator<StreamMessage>) =>
  ((await stream.next()) as IteratorYieldResult<StreamMessage>).value;

it('a stream sends a sign of life while nothing happens', async () => {
  const { open, gone } = openStreams({ heartbeatMs: 1 });
  const stream = await open();
  expect(await nextMessage(stream)).toMatchObject({ kind: 'snapshot' });
  expect(await nextMessage(stream)).toEqual({ kind: 'heartbeat', rev: 1 });
  expect(await nextMessage(stream)).toEqual({ kind: 'heartbeat', rev: 1 });
  gone.abort();
});

it('a slow reader has nothing queued: it gets the newest picture after the one it has', async () => {
  const { open, change, gone } = openStreams();
  const stream = await open();
  await nextMessage(stream);
  for (let rev = 2; rev <= 1_000; rev++) change({ rev });
  expect(await nextMessage(stream)).toMatchObject({ kind: 'change', picture: { rev: 1_000, prev: 1 } });
  gone.abort();
});

it('an address has a limited share of streams, and another address goes on (X9)', async () => {
  const { open, gone } = openStreams({ perAddress: 2 });
  await open(reader('g1', 'a'));
  await open(reader('g2', 'b'));
  await expect(open(reader('g3', 'c'))).rejects.toMatchObject({ code: 'rate_limited' });
  await open(reader('g3', 'c'), '203.0.113.10');
  gone.abort();
});

it('a group has a limited share of streams, and an ended stream frees its place', async () => {
  const { open, gone, followers } = openStreams({ perGroup: 2 });
  await open(reader('g1', 'a'));
  await open(reader('g1', 'b'));
  await expect(open(reader('g1', 'c'))).rejects.toMatchObject({ code: 'rate_limited' });
  await open(reader('g2', 'c'));
  gone.abort();
  expect(followers.size).toBe(0);
});

it('a revocation ends the streams of the revoked tokens and no others', async () => {
  const { open, streams, revoked, gone } = openStreams();
  const [first, second, elsewhere] = [
    await open(reader('g1', 'a')),
    await open(reader('g1', 'b')),
    await open(reader('g2', 'a')),
  ];
  for (const stream of [first, second, elsewhere]) await nextMessage(stream);
  revoked.add('g1.a').add('g2.a');
  await streams.recheck('g1');
  expect(await nextMessage(first)).toEqual({ kind: 'end', reason: 'session_ended' });
  expect((await first.next()).done).toBe(true);
  const others = [second.next(), elsewhere.next()];
  gone.abort();
  expect(await Promise.all(others)).toEqual([
    { done: true, value: undefined },
    { done: true, value: undefined },
  ]);
});

it('a replaced link ends its own streams, and raising the epoch of the group ends those of tokens only (Q86)', async () => {
  const { open, streams, revoked, gone } = openStreams();
  const link: Who = { group: 'g1', key: 'organiser', epoch: undefined };
  const elsewhere: Who = { ...link, group: 'g2' };
  const [organiser, payer, other] = [await open(link), await open(reader('g1', 'a')), await open(elsewhere)];
  for (const stream of [organiser, payer, other]) await nextMessage(stream);
  await streams.endRevoked(async () => new Map([['g1', 1]]));
  expect(await nextMessage(payer)).toEqual({ kind: 'end', reason: 'session_ended' });
  expect(await streams.recheckLinks()).toBe(true);
  revoked.add('g1.organiser').add('g2.organiser');
  const next = organiser.next();
  await streams.recheckLinks('g1');
  expect(await next).toEqual({ done: false, value: { kind: 'end', reason: 'session_ended' } });
  const last = other.next();
  const pause = new Promise((resolve) => setImmediate(resolve, 'open'));
  expect(await Promise.race([last, pause])).toBe('open');
  await streams.recheckLinks();
  expect(await last).toEqual({ done: false, value: { kind: 'end', reason: 'session_ended' } });
  gone.abort();
});

it('a client that was gone before its stream began leaves nothing behind', async () => {
  const { open, gone, followers } = openStreams();
  gone.abort();
  await open();
  expect(followers.size).toBe(0);
});
