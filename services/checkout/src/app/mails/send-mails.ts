import { randomBytes } from 'node:crypto';
import { AppError } from '@gp/errors';
import {
  describeFailure,
  MAIL_LEASE_SECONDS,
  MAIL_PAUSES,
  RefusedMailError,
  UncertainMailError,
  type OutgoingMail,
} from '@gp/mail';
import { findSettings } from '@gp/outbox';
import type { Loop } from '@gp/service';
import { metrics } from '@gp/telemetry';
import {
  beginSending,
  claimPayerMails,
  concludePayerMail,
  retryPayerMail,
  skipPayerMail,
  sweepSending,
  waitUntil,
  type DueMail,
} from '../../db/mails/payer-mails.ts';
import { decideMail } from '../../domain/mails/decide-mail.ts';
import type { SkipReason } from '../../domain/mails/payer-mail.ts';
import { findOwnPayment } from './find-own-payment.ts';
import { hashAddress, hashToken } from './hashes.ts';
import { isStillAsked } from './organiser-reminders.ts';
import type { MailParts } from './ports.ts';

const AT_ONCE = 5;
/** Pause of the loop: the shortest wait. An event of this process ends the pause. */
const IDLE_MS = MAIL_PAUSES[0] * 1_000;
/** Longer than a lease, so that no mail is called unknown while it is handed over. */
const SWEEP_SECONDS = 2 * MAIL_LEASE_SECONDS;
/** As guessable as a session key. */
const TOKEN_BYTES = 24;

const RESULTS = ['sent', 'failed', 'skipped', 'refused', 'given_up', 'unknown'] as const;
type Result = (typeof RESULTS)[number];

const mails = metrics.counter({
  name: 'gp_payer_mails_total',
  help: 'Mails to payers, by result: sent, failed and tried again, skipped as not wanted or no longer true, refused for good, given up after the last try, unknown when they may have arrived',
  unit: 'mails',
  labels: ['result'],
});
const count = (result: Result, by = 1): void => mails.inc({ result }, by);

const said = {
  failed: 'a mail to a payer was not accepted and is tried again',
  refused: 'a mail to a payer was refused for good',
  given_up: 'a mail to a payer was given up',
  unknown: 'a mail to a payer may have arrived and is not sent again',
} as const;

/**
 * Sends the mails that are due, each at most once (Q77): what is about to be handed over is committed before, and a mail that
 * may have arrived is not sent again.
 */
export function sendMails(parts: MailParts): Loop & { readonly wake: () => void } {
  for (const result of RESULTS) count(result, 0);
  let wake = (): void => undefined;
  return {
    name: 'send-payer-mails',
    idleMs: IDLE_MS,
    wake: () => wake(),
    onWake: (wakeLoop) => void (wake = wakeLoop),
    async runOnce() {
      count('unknown', await sweepSending(parts.db, SWEEP_SECONDS));
      const due = await claimPayerMails(parts.db, { leaseSeconds: MAIL_LEASE_SECONDS, most: AT_ONCE });
      await Promise.all(due.map((mail) => tryMail(parts, mail)));
      return due.length === AT_ONCE ? 'busy' : 'idle';
    },
  };
}

async function tryMail(parts: MailParts, mail: DueMail): Promise<void> {
  const { db } = parts;
  const skip = async (reason: SkipReason): Promise<void> => {
    await skipPayerMail(db, mail, reason);
    count('skipped');
  };
  try {
    const owner = { merchantId: mail.merchant_id, mode: mail.mode };
    const [settings] = await findSettings(db, [owner]);
    if (!settings?.payer_mails || !parts.modes.includes(mail.mode)) return await skip('off');
    const { known, payment } = await findOwnPayment(parts)(mail);
    const told = { kind: mail.kind, occurredAtMs: mail.occurred_at.getTime() };
    const decision = decideMail(told, known, mail.now.getTime());
    if (decision.do === 'wait') return await waitUntil(db, mail.id, decision.untilMs);
    if (decision.do === 'skip') return await skip(decision.reason);
    if (mail.kind === 'organiser_reminder' && !(await isStillAsked(parts.ledger, mail)))
      return await skip('overtaken');
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const page = `${parts.home}/p/${token}`;
    const { subject, text, html } = parts.write({ kind: mail.kind, payment, page });
    const hashes = { addressHash: hashAddress(known.email), tokenHash: hashToken(token) };
    const begun = await beginSending(db, mail, { ...hashes, limits: parts.limits });
    if (begun === 'gone') return;
    if (begun !== 'begun') return await skip(begun);
    const written = { id: mail.id, to: known.email, subject, text, html, sent_at: mail.now.toISOString() };
    await handOver(parts, mail, { ...written, unsubscribe: `${page}/unsubscribe` });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return skip('erased');
    await noteFailure(parts, mail, error);
  }
}

async function handOver(parts: MailParts, mail: DueMail, written: OutgoingMail): Promise<void> {
  try {
    await parts.deliver(written);
  } catch (error) {
    return noteFailure(parts, mail, error);
  }
  await concludePayerMail(parts.db, mail, 'sent').catch((err: unknown) =>
    // The row stays `sending` and becomes unknown: a mail that was sent is not sent again.
    parts.log.warn({ err }, 'the result of a mail to a payer could not be stored'),
  );
  count('sent');
}

/** Logs name neither recipient nor link. */
async function noteFailure({ db, log }: MailParts, mail: DueMail, error: unknown): Promise<void> {
  const { attempts } = mail;
  const result = classify(error, attempts);
  count(result);
  log.warn({ attempt: attempts, ...describeFailure(error), err: error }, said[result]);
  const pause = MAIL_PAUSES[attempts - 1] ?? 0;
  await (result === 'failed' ? retryPayerMail(db, mail, pause) : concludePayerMail(db, mail, result));
}

function classify(error: unknown, attempts: number): keyof typeof said {
  if (error instanceof UncertainMailError) return 'unknown';
  if (error instanceof RefusedMailError) return 'refused';
  return attempts > MAIL_PAUSES.length ? 'given_up' : 'failed';
}
