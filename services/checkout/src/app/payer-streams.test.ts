import { expect, it } from '@jest/globals';
import type { ProvenToken } from '@gp/http';
import type { GroupPicture } from '../domain/picture.ts';
import type { LiveGroups } from './live-groups.ts';
import { payerStreams, type StreamMessage } from './payer-streams.ts';

const proven = (gp: string, jti: string): ProvenToken & { token: string } => ({
  claims: { mid: 'm1', gp, mode: 'test', scope: ['read'], jti, epoch: 0, limited: false },
  scope: ['read'],
  endsAtMs: Date.now() + 60_000,
  token: `${gp}.${jti}.x`,
});

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
  const streams = payerStreams({
    live: shown.live,
    isGood: async (token) => !revoked.has(token),
    limits,
    heartbeatMs,
  });
  const gone = new AbortController();
  const open = async (who = proven('g1', 'a'), address = '203.0.113.9') => {
    const messages = await streams.open({ proven: who, address, knownRev: undefined, signal: gone.signal });
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
  await open(proven('g1', 'a'));
  await open(proven('g2', 'b'));
  await expect(open(proven('g3', 'c'))).rejects.toMatchObject({ code: 'rate_limited' });
  await open(proven('g3', 'c'), '203.0.113.10');
  gone.abort();
});

it('a group has a limited share of streams, and an ended stream frees its place', async () => {
  const { open, gone, followers } = openStreams({ perGroup: 2 });
  await open(proven('g1', 'a'));
  await open(proven('g1', 'b'));
  await expect(open(proven('g1', 'c'))).rejects.toMatchObject({ code: 'rate_limited' });
  await open(proven('g2', 'c'));
  gone.abort();
  expect(followers.size).toBe(0);
});

it('a revocation ends the streams of the revoked tokens and no others', async () => {
  const { open, streams, revoked, gone } = openStreams();
  const [first, second, elsewhere] = [
    await open(proven('g1', 'a')),
    await open(proven('g1', 'b')),
    await open(proven('g2', 'a')),
  ];
  for (const stream of [first, second, elsewhere]) await nextMessage(stream);
  revoked.add('g1.a.x').add('g2.a.x');
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

it('a client that was gone before its stream began leaves nothing behind', async () => {
  const { open, gone, followers } = openStreams();
  gone.abort();
  await open();
  expect(followers.size).toBe(0);
});
