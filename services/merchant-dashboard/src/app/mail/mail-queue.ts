import { uuidv7 } from 'uuidv7';
import { describeFailure, MAIL_LEASE_SECONDS, MAIL_PAUSES, RefusedMailError } from '@gp/mail';
import type { Db, Queryable } from '@gp/pg';
import type { Seal } from '@gp/seal';
import type { Loop } from '@gp/service';
import { metrics, type Logger } from '@gp/telemetry';
import { claimMails, deleteMail, insertMail, postponeMail, type MailRow } from '../../db/mails.ts';
import type { Deliver, Mail, Mailer } from './mail.ts';

const AT_ONCE = 5;
/** Pause of the loop: the shortest wait. A mail of this process ends the pause. */
const IDLE_MS = MAIL_PAUSES[0] * 1_000;

const mails = metrics.counter({
  name: 'gp_mails_total',
  help: 'Tries to hand a mail to the mail server, by result: sent, failed and tried again, refused for good, given up after the last try',
  unit: 'mails',
  labels: ['result'],
});

const said = {
  failed: 'a mail was not accepted and is tried again',
  refused: 'a mail was refused for good',
  given_up: 'a mail was given up',
} as const;

export type MailQueue = Mailer & {
  readonly loop: Loop;
  /** Stores a message in the caller's transaction: it is sent if that commits. Rejects when it cannot be stored. */
  put(tx: Queryable, mail: Mail): Promise<void>;
  close(): Promise<void>;
};

/**
 * Stores mails sealed and hands each to the mail server until it accepts or refuses it for good, or 22 hours are over. A
 * mail is tried again with the id it had, which receivers use to tell copies apart when the answer to a try was lost.
 */
export function openMailQueue(parts: {
  readonly db: Db;
  readonly seal: Seal;
  readonly deliver: Deliver;
  readonly log: Pick<Logger, 'warn'>;
}): MailQueue {
  const { db, seal, log } = parts;
  const storing = new Set<Promise<void>>();
  let wake = (): void => undefined;
  for (const result of ['sent', 'failed', 'refused', 'given_up']) mails.inc({ result }, 0);

  async function put(tx: Queryable, mail: Mail): Promise<void> {
    const id = uuidv7();
    await insertMail(tx, id, seal.seal(JSON.stringify(mail), id));
  }

  async function store(mail: Mail): Promise<void> {
    try {
      await put(db, mail);
      wake();
    } catch (err) {
      log.warn({ err }, 'a mail could not be stored');
    }
  }

  return {
    put,
    send(mail) {
      const stored = store(mail).finally(() => storing.delete(stored));
      storing.add(stored);
    },
    loop: {
      name: 'send-mails',
      idleMs: IDLE_MS,
      onWake: (wakeLoop) => void (wake = wakeLoop),
      runOnce: async () => {
        const due = await claimMails(db, { leaseSeconds: MAIL_LEASE_SECONDS, most: AT_ONCE });
        await Promise.all(due.map((row) => tryMail(parts, row)));
        return due.length === AT_ONCE ? 'busy' : 'idle';
      },
    },
    async close() {
      await Promise.all(storing);
    },
  };
}

/** Logs name neither recipient nor text: a link is as good as a password. */
async function tryMail({ db, seal, deliver, log }: Parameters<typeof openMailQueue>[0], row: MailRow) {
  const { id, attempts } = row;
  try {
    const mail = JSON.parse(seal.open({ keyId: row.message_key_id, bytes: row.message_sealed }, id)) as Mail;
    await deliver({ ...mail, id, sent_at: row.written_at.toISOString() });
  } catch (error) {
    const pause = error instanceof RefusedMailError ? undefined : MAIL_PAUSES[attempts - 1];
    const last = error instanceof RefusedMailError ? 'refused' : 'given_up';
    const result = pause === undefined ? last : 'failed';
    mails.inc({ result });
    log.warn({ attempt: attempts, ...describeFailure(error), err: error }, said[result]);
    await (pause === undefined ? deleteMail(db, id) : postponeMail(db, id, pause));
    return;
  }
  mails.inc({ result: 'sent' });
  await deleteMail(db, id);
}
