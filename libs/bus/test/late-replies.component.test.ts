import { expect, it } from '@jest/globals';
import { nkeys } from '@gp/bundled/nats';
import { eventually, testNats } from '@gp/testing';
import { openBus } from '../src/index.ts';
import { addContract, signal } from './support.ts';

/** An identity with the permissions that its part of the test needs. */
function makeIdentity(permissions: {
  readonly publish: { readonly allow: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
  readonly allow_responses?: { readonly max: number; readonly expires: string };
}) {
  const pair = nkeys.createUser();
  const nkeySeed = new TextDecoder().decode(pair.getSeed());
  return { nkeySeed, user: { nkey: pair.getPublicKey(), permissions } };
}

/** A log that keeps the level of each line. */
function levelLog() {
  const lines: (readonly [level: string, fields: object, message: string])[] = [];
  const keep =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push([level, fields, message]);
  return { lines, log: { warn: keep('warn'), error: keep('error') } };
}

const callee = makeIdentity({
  publish: { allow: ['note.test.allowed'] },
  subscribe: { allow: ['_INBOX.callee.>', addContract.subject] },
  allow_responses: { max: 1, expires: '10ms' },
});
const caller = makeIdentity({
  publish: { allow: [addContract.subject] },
  subscribe: { allow: ['_INBOX.caller.>'] },
});

it('a reply after its time is logged as a warning that names the caller and not the inbox; another violation stays an error (M4)', async () => {
  const nats = await testNats({ users: [callee.user, caller.user] });
  const { lines, log } = levelLog();
  const open = { servers: nats.url };
  const serving = await openBus({ ...open, name: 'callee', nkeySeed: callee.nkeySeed, log });
  const calling = await openBus({ ...open, name: 'caller', nkeySeed: caller.nkeySeed });
  await eventually(() => (serving.isConnected() && calling.isConnected()) || undefined);
  lines.length = 0;
  const late = signal();
  serving.serve(addContract, async ({ amount }) => {
    await late.seen;
    return { sum: amount };
  });
  const call = calling.call(addContract, { amount: 1 }, { timeoutMs: 1_000 });
  await expect(call).rejects.toMatchObject({ code: 'deadline_exceeded' });
  late.fire();
  await eventually(() => lines.length > 0 || undefined);
  expect(lines).toEqual([
    ['warn', { caller: 'caller' }, 'NATS dropped a reply that came after its caller could be answered'],
  ]);
  serving.announce('note.test.forbidden', 1);
  await eventually(() => lines.length > 1 || undefined);
  expect(lines[1]).toEqual([
    'error',
    { err: expect.objectContaining({ operation: 'publish', subject: 'note.test.forbidden' }) },
    'NATS server error',
  ]);
  await Promise.all([serving.close(), calling.close()]);
  await nats.stop();
});
