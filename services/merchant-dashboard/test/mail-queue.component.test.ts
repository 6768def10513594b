import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openPg, unprepared, type Db } from '@gp/pg';
import { sealWith } from '@gp/seal';
import { eventually, testDatabase } from '@gp/testing';
import { openMailQueue, type MailQueue } from '../src/app/mail/mail-queue.ts';
import { RefusedMailError } from '@gp/mail';
import type { Deliver, QueuedMail } from '../src/app/mail/mail.ts';
import { encryptionKey, schemas } from './support/dashboard.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Db;
beforeAll(async () => {
  database = await testDatabase({ schemas });
  db = await openPg({ url: database.url('merchant'), name: 'test', max: 4, connectTimeoutMs: 30_000 });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

let sent: QueuedMail[];
let warnings: string[];
let fault: Error | undefined;
beforeEach(async () => {
  await db.query(unprepared('delete from mails'));
  [sent, warnings, fault] = [[], [], undefined];
});

const deliver: Deliver = async (mail) => {
  sent.push(mail);
  if (fault) throw fault;
};
const log = {
  warn: (fields: unknown, text: string) => void warnings.push(`${JSON.stringify(fields)} ${text}`),
};
const open = (): MailQueue =>
  openMailQueue({ db, seal: sealWith({ encryptionKey }), deliver, log: log as never });
const mail = {
  to: 'ana@merchants.example',
  subject: 'Hello',
  text: 'https://dashboard.example/#token=secret',
};

const count = async () =>
  (await db.query(unprepared<{ n: bigint }>('select count(*) as n from mails')))[0]?.n;
const makeDue = () =>
  db.query(unprepared("update mails set due_at = clock_timestamp() - interval '1 second'"));
async function store(queue: MailQueue): Promise<void> {
  queue.send(mail);
  await queue.close();
}
const pass = (queue: MailQueue) => queue.loop.runOnce(new AbortController().signal);

describe('the queue of mails', () => {
  it('a mail that is put into a transaction is sent if that commits, and never if it does not (K18)', async () => {
    const queue = open();
    const rollback = new Error('rolled back');
    const given = db.transaction(async (tx) => {
      await queue.put(tx, { ...mail, subject: 'Never' });
      throw rollback;
    });
    await expect(given).rejects.toBe(rollback);
    await db.transaction((tx) => queue.put(tx, mail));
    await pass(queue);
    expect(sent.map(({ subject }) => subject)).toEqual([mail.subject]);
  });

  it('a mail is sent once and is gone afterwards', async () => {
    const queue = open();
    await store(queue);
    await pass(queue);
    await pass(queue);
    expect(sent).toMatchObject([mail]);
    expect(await count()).toBe(0n);
  });

  it('a mail is stored sealed: neither recipient nor text can be read', async () => {
    await store(open());
    const rows = await db.query(unprepared<{ message_sealed: Buffer }>('select message_sealed from mails'));
    for (const secret of ['ana@', 'token'])
      expect(rows[0]?.message_sealed.toString('latin1')).not.toContain(secret);
  });

  it('a mail that was not accepted is tried again later, under the id it had', async () => {
    const queue = open();
    await store(queue);
    fault = new Error('connection refused');
    await pass(queue);
    await pass(queue);
    expect(sent).toHaveLength(1);
    fault = undefined;
    await makeDue();
    await pass(queue);
    expect(sent.map(({ id }) => id)).toEqual([sent[0]?.id, sent[0]?.id]);
    expect(await count()).toBe(0n);
  });

  it('a mail that was refused for good is not tried again', async () => {
    const queue = open();
    await store(queue);
    fault = new RefusedMailError('no such user');
    await pass(queue);
    expect(await count()).toBe(0n);
    expect(warnings).toEqual([expect.stringContaining('a mail was refused for good')]);
  });

  it('a mail is given up after its last try, and no warning tells its recipient or text', async () => {
    const queue = open();
    await store(queue);
    fault = new Error('connection refused');
    let tries = 0;
    for (; (await count()) === 1n; tries += 1) {
      await makeDue();
      await pass(queue);
    }
    expect(tries).toBe(9);
    expect(warnings.at(-1)).toContain('a mail was given up');
    expect(warnings.join()).not.toMatch(/ana@|token/);
  });

  it('two processes send each of many mails once', async () => {
    const queues = [open(), open()];
    for (let n = 0; n < 40; n += 1) queues[n % 2]?.send({ ...mail, subject: `Mail ${n}` });
    await Promise.all(queues.map((queue) => queue.close()));
    await eventually(async () => {
      await Promise.all(queues.map(pass));
      return (await count()) === 0n || undefined;
    });
    expect(sent).toHaveLength(40);
    expect(new Set(sent.map(({ subject }) => subject)).size).toBe(40);
  });

  it('a mail whose process died during the try is tried again after the lease', async () => {
    await store(open());
    await db.query(
      unprepared("update mails set attempts = 1, due_at = clock_timestamp() + interval '2 minutes'"),
    );
    await pass(open());
    expect(sent).toEqual([]);
    await makeDue();
    await pass(open());
    expect(sent).toHaveLength(1);
  });
});
