import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { unprepared } from '@gp/pg';
import { eventually } from '@gp/testing';
import { claimInbox, insertOutbox, outboxFailPoints, outboxRelay } from '../src/index.ts';
import {
  freshSubject,
  buildMessage,
  openMailbox,
  openPostOffice,
  quiet,
  SCHEMA,
  listUnsent,
  type PostOffice,
} from './post-office.ts';

let office: PostOffice;
beforeAll(async () => {
  office = await openPostOffice();
});
afterAll(() => office.close());

const doomedRelay = fileURLToPath(new URL('relay-process.ts', import.meta.url));

async function runUntilItDies(at: string): Promise<void> {
  const args = [doomedRelay, office.database.url(SCHEMA), office.nats.url, at];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

it.each(outboxFailPoints)('a relay killed at %s loses no message and doubles none', async (failPoint) => {
  const subject = freshSubject();
  const messages = [1, 2, 3].map((n) => buildMessage(subject, n));
  await insertOutbox(office.db, messages);
  await runUntilItDies(failPoint);

  const relay = outboxRelay({ db: office.db, bus: office.bus, log: quiet });
  const { signal } = new AbortController();
  const emptied = (): Promise<true> =>
    eventually(async () => {
      await relay.runOnce(signal);
      return (await listUnsent(office.db)).length === 0 ? true : undefined;
    });
  await emptied();
  // Published last, so the stream holds nothing else before it.
  await insertOutbox(office.db, [buildMessage(subject, 4)]);
  await emptied();
  const mailbox = openMailbox(office.bus, subject);
  await mailbox.has(4);
  expect(mailbox.received.map((m) => m.n)).toEqual([1, 2, 3, 4]);
  expect(mailbox.received.slice(0, 3).map((m) => m.id)).toEqual(messages.map((m) => m.id));
  await Promise.all([mailbox.close(), relay.close()]);
});

it('a message that comes again after the duplicate window is dropped by the inbox', async () => {
  const effect = unprepared('insert into effects values ($1)');
  await office.database.asOwner(
    SCHEMA,
    'create table effects (message_id text); grant all on effects to mail',
  );
  const { id } = buildMessage(freshSubject(), 1);
  const handle = (): Promise<boolean> =>
    office.db.transaction(async (tx) => {
      if (!(await claimInbox(tx, 'effects', id))) return false;
      await tx.query(effect, [id]);
      return true;
    });
  const answers = await Promise.all([handle(), handle(), handle()]);
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await office.db.query(unprepared('select message_id from effects'))).toEqual([{ message_id: id }]);
});
