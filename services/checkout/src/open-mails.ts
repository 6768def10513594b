import type { HeardEvent } from '@gp/contracts';
import { openSmtp, toSmtpSettings } from '@gp/mail';
import type { Loop } from '@gp/service';
import { notePayment, type NotePayment } from './app/mails/note-payment.ts';
import { organiserReminders, type OrganiserReminders } from './app/mails/organiser-reminders.ts';
import type { MailParts } from './app/mails/ports.ts';
import { sendMails } from './app/mails/send-mails.ts';
import { takeMailedEvent } from './app/mails/take-event.ts';
import type { CheckoutConfig } from './config.ts';
import { findBrand } from './db/brands.ts';

export type Mails = {
  readonly notePayment: NotePayment;
  readonly takeEvent: (event: HeardEvent) => Promise<void>;
  readonly reminders: OrganiserReminders;
  readonly loops: readonly Loop[];
};

/** Opens the mails to payers; undefined where the settings name no mail server. */
export function openMails(
  c: CheckoutConfig,
  parts: Pick<MailParts, 'db' | 'ledger' | 'write' | 'home' | 'log'>,
): Mails | undefined {
  const { db, home, log } = parts;
  const settings = toSmtpSettings(c, new URL(home).hostname);
  if (settings === undefined) return undefined;
  const limits = {
    perAddressAndHour: c.mailsPerAddressAndHour,
    perAddressGroupAndDay: c.mailsPerAddressGroupAndDay,
    perTestMerchantAndDay: c.mailsPerTestMerchantAndDay,
  };
  const sending = sendMails({
    ...parts,
    deliver: openSmtp(settings),
    findBrand: (owner) => findBrand(db, owner),
    limits,
  });
  return {
    notePayment: notePayment(db, log),
    takeEvent: takeMailedEvent(db, sending.wake),
    reminders: organiserReminders({ db, ledger: parts.ledger, wake: sending.wake }),
    loops: [sending],
  };
}
