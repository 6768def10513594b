/** A mail as it is handed over. */
export type OutgoingMail = {
  /** The same in every try of one mail. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** When it was written, ISO 8601. */
  readonly sent_at: string;
  /** The address at which one POST ends such mails (RFC 8058); it must begin with `https:` for mail programs to use it. */
  readonly unsubscribe?: string;
};

/**
 * Hands a mail over within a minute. Rejects with `RefusedMailError` when trying again cannot help, and with
 * `UncertainMailError` when the mail may have arrived; after any other error it has not.
 */
export type Deliver = (mail: OutgoingMail) => Promise<void>;

/** The mail server refused a recipient or a message for good. */
export class RefusedMailError extends Error {
  override name = 'RefusedMailError';
}

/** The connection ended after the whole message had left and before the server's answer: it may have been accepted. */
export class UncertainMailError extends Error {
  override name = 'UncertainMailError';
}

/** Waits between the tries of a mail, seconds: 22 hours in all, longer than most outages of a mail server. */
export const MAIL_PAUSES = [5, 30, 120, 600, 3_600, 3 * 3_600, 6 * 3_600, 12 * 3_600] as const;
/** Longer than a try takes (`Deliver` gives up earlier), seconds. */
export const MAIL_LEASE_SECONDS = 120;
