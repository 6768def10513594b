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

/** A mail on its way: `id` is the same in every try. */
export type QueuedMail = Mail & { readonly id: string; readonly sent_at: string };

/** Hands a mail over within a minute. Rejects with `RefusedMailError` of @gp/mail when trying again cannot help. */
export type Deliver = (mail: QueuedMail) => Promise<void>;
