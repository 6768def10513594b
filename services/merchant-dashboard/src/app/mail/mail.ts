import { AppError } from '@gp/errors';

/** A message to one person, plain text: links are on lines of their own. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** Takes a message for delivery. It never rejects and never waits: how long mail takes must tell nobody who is known. */
export type Mailer = { send(mail: Mail): void };

/** The mailer of an installation; `conflict` where it has none, and merchants come in by the command line. */
export function mailerOf({ mailer }: { readonly mailer: Mailer | null }): Mailer {
  const message = 'this installation sends no mail: ask whoever operates it';
  if (!mailer) throw new AppError('conflict', { message });
  return mailer;
}

export type ReceivedMail = Mail & { readonly sent_at: string };

/** Where the mail of a stack for trying out ends. */
export type Mailbox = { list(): Promise<ReceivedMail[]> };
