import { existsSync } from 'node:fs';
import { choice, optional, secret, text, url, type ConfigOf } from '@gp/config';
import type { SmtpSettings } from './smtp.ts';

const ADDRESS = String.raw`[^\s@<>,;:"]+@[^\s@<>,;:"]+`;

const FOLDER = 'file:';
const PLACES = ['smtp:', 'smtps:', FOLDER];

/** Settings of a service that sends mail. `describe` tells where mail goes. */
export const mailConfig = ({ describe }: { describe: string }) => ({
  mailUrl: optional(url({ describe, protocols: PLACES })),
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
});

export type MailConfig = ConfigOf<ReturnType<typeof mailConfig>>;

/** Returns whether mails go into a folder, as in trial stacks, where everybody may read them. */
export const isMailFolder = (mailUrl: string | undefined): mailUrl is string =>
  mailUrl?.startsWith(FOLDER) ?? false;

/** Returns the settings of the mail server; undefined where mail goes to none. `name`: the host name of this program. */
export function toSmtpSettings(c: MailConfig, name: string): SmtpSettings | undefined {
  const {
    mailUrl,
    mailFrom,
    mailUser: user,
    mailPassword: password,
    mailBounces: bounces,
    mailCaFile: caFile,
  } = c;
  if (mailUrl === undefined || mailFrom === undefined || !mailUrl.startsWith('smtp')) return undefined;
  return {
    url: mailUrl,
    user,
    password,
    from: mailFrom,
    bounces,
    caFile,
    requireTls: c.mailTls === 'required',
    name,
  };
}

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
