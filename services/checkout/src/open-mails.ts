import type { HeardEvent } from '@gp/contracts';
import { isMailFolder, openDelivery } from '@gp/mail';
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

/**
 * Opens the mails to payers; undefined where the settings name no mail server. Into a folder go mails of test mode alone: a
 * mail has the link to its payment, and everybody reads the folder.
 */
export function openMails(
  c: CheckoutConfig,
  parts: Pick<MailParts, 'db' | 'ledger' | 'write' | 'home' | 'log'>,
): Mails | undefined {
  const { db, home, log } = parts;
  const deliver = openDelivery(c, { host: new URL(home).hostname, sender: 'checkout' });
  if (deliver === undefined) return undefined;
  const limits = {
    perAddressAndHour: c.mailsPerAddressAndHour,
    perAddressGroupAndDay: c.mailsPerAddressGroupAndDay,
    perTestMerchantAndDay: c.mailsPerTestMerchantAndDay,
  };
  const sending = sendMails({
    ...parts,
    deliver,
    modes: isMailFolder(c.mailUrl) ? ['test'] : ['test', 'live'],
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
