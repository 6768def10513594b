import { AppError } from '@gp/errors';

/** A message to one person in plain text; each link is on a line of its own. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/**
 * Takes a message for delivery. It never rejects and never waits: the time that mail takes must not reveal whether
 * an account exists.
 */
export type Mailer = { send(mail: Mail): void };

/**
 * Returns the mailer of an installation; throws `conflict` where it has none and merchants are created by the
 * command line.
 */
export function requireMailer({ mailer }: { readonly mailer: Mailer | null }): Mailer {
  const message = 'this installation sends no mail: ask whoever operates it';
  if (!mailer) throw new AppError('conflict', { message });
  return mailer;
}

/** A mail as it is handed over; `id` is the same in every try. */
export type OutgoingMail = Mail & { readonly id: string; readonly sent_at: string };

/** Hands a mail over within a minute. Rejects with `RefusedMailError` when trying again cannot help. */
export type Deliver = (mail: OutgoingMail) => Promise<void>;

/** The mail server refused a recipient or a message for good. */
export class RefusedMailError extends Error {
  override name = 'RefusedMailError';
}

export type ReceivedMail = OutgoingMail;

/** The mailbox in which a trial stack collects its mail. */
export type Mailbox = { list(): Promise<ReceivedMail[]> };
