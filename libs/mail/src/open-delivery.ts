import { isMailFolder, toSmtpSettings, type MailConfig } from './mail.config.ts';
import { openMailFolder } from './mail-folder.ts';
import type { Deliver } from './mail.ts';
import { openSmtp } from './smtp.ts';

/**
 * Returns how the mails of a service are handed over: to the mail server, or into the folder of a trial stack; undefined where
 * the settings name neither. `host`: the name under which the service greets the server; `sender`: the service's name.
 */
export function openDelivery(
  c: MailConfig,
  { host, sender }: { readonly host: string; readonly sender: string },
): Deliver | undefined {
  if (isMailFolder(c.mailUrl)) return openMailFolder(c.mailUrl, sender);
  const settings = toSmtpSettings(c, host);
  return settings && openSmtp(settings);
}
