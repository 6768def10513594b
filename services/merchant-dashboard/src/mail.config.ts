import { existsSync } from 'node:fs';
import { choice, optional, secret, text, url, type ConfigOf } from '@gp/config';

const ADDRESS = String.raw`[^\s@<>,;:"]+@[^\s@<>,;:"]+`;

/** Settings of the mail that the dashboard sends. */
export const mailConfig = {
  mailUrl: optional(
    url({
      describe:
        'Where mail goes: a mail server, port 587 (smtp:) or 465 (smtps:) by default, or for trying out a folder, whose mail `/mailbox` shows to everybody; without one nobody signs up by mail',
      protocols: ['smtp:', 'smtps:', 'file:'],
    }),
  ),
  mailUser: optional(text({ describe: 'User at the mail server' })),
  mailPassword: optional(secret({ describe: 'Password of that user' })),
  mailFrom: optional(
    text({
      describe: 'Sender of mails, `address` or `Name <address>`; required with a mail server',
      pattern: new RegExp(String.raw`${ADDRESS}|[^<>\r\n]+ <${ADDRESS}>`),
    }),
  ),
  mailBounces: optional(
    text({
      describe:
        'Address that gets reports of mail that could not be delivered; that of the sender by default',
      pattern: new RegExp(ADDRESS),
    }),
  ),
  mailTls: choice(['required', 'offered'], {
    describe:
      'With smtp:, whether a server that offers no STARTTLS gets no mail, or gets it in the clear (a relay beside the process)',
    default: 'required',
  }),
  mailCaFile: optional(
    text({
      describe:
        'Certificates (PEM) of the authority that signed the mail server’s own; by default those of Node',
    }),
  ),
};

export type MailConfig = ConfigOf<typeof mailConfig>;

/** Returns a sentence for every fault. */
export function listMailFaults(c: MailConfig): string[] {
  const isServer = c.mailUrl?.startsWith('smtp') ?? false;
  const faults: string[] = [];
  if (isServer && c.mailFrom === undefined) faults.push('MAIL_FROM is required with a mail server');
  if (isServer && URL.parse(c.mailUrl ?? '')?.username)
    faults.push('MAIL_URL names no user: use MAIL_USER and MAIL_PASSWORD');
  if ((c.mailUser === undefined) !== (c.mailPassword === undefined))
    faults.push('MAIL_USER and MAIL_PASSWORD go together');
  if (c.mailCaFile !== undefined && !existsSync(c.mailCaFile)) faults.push('MAIL_CA_FILE cannot be read');
  return faults;
}
