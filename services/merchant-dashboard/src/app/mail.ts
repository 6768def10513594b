/** A message to one person, plain text: links are on lines of their own. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** Takes a message for delivery. It never rejects and never waits: how long mail takes must tell nobody who is known. */
export type Mailer = { send(mail: Mail): void };

export type ReceivedMail = Mail & { readonly sent_at: string };

/** Where the mail of a stack for trying out ends. */
export type Mailbox = { list(): Promise<ReceivedMail[]> };
