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

export type ReceivedMail = Mail & { readonly sent_at: string };

/** The mailbox in which a trial stack collects its mail. */
export type Mailbox = { list(): Promise<ReceivedMail[]> };
