import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sealWith } from '@gp/seal';
import type { Logger } from '@gp/telemetry';
import { triesOf } from './access.config.ts';
import type { Mailbox, Mailer } from './app/mail/mail.ts';
import { openPasswords } from './app/account/passwords.ts';
import type { Addresses, SandboxAccounts, WebParts } from './app/ports.ts';
import type { DashboardConfig } from './config.ts';
import { mailer, toFolder, toRelay } from './outbound/mail.ts';
import { sandboxAt } from './outbound/sandbox.ts';
import { readCallbacks } from './domain/sandbox-callbacks.ts';

type Closable = { close(): Promise<void> };

/** Builds from the settings what the pages' routes need beyond storage and bus. */
export function webPartsOf(
  c: DashboardConfig,
  log: Logger,
): Pick<WebParts, 'seal' | 'limits' | 'passwords' | 'addresses' | 'sandbox' | 'mailbox'> & {
  mailer: (Mailer & Closable) | null;
} {
  return {
    ...mailOf(c, log),
    seal: sealWith(c),
    limits: triesOf(c),
    passwords: openPasswords(),
    addresses: addressesOf(c),
    sandbox: sandboxOf(c),
  };
}

/** Returns the folder of the built pages. */
export function pagesFolderOf({ pagesFolder }: DashboardConfig): string {
  return pagesFolder === undefined ? resolve(import.meta.dirname, '../web/dist') : resolve(pagesFolder);
}

function mailOf(
  c: DashboardConfig,
  log: Logger,
): { mailer: (Mailer & Closable) | null; mailbox: Mailbox | null } {
  if (c.mailUrl === undefined) {
    log.warn({}, 'no MAIL_URL: nobody can sign up, be invited or choose a new password by mail');
    return { mailer: null, mailbox: null };
  }
  if (!c.mailUrl.startsWith('file:'))
    return { mailer: mailer(toRelay(c.mailUrl, c.mailToken), log), mailbox: null };
  const folder = toFolder(fileURLToPath(c.mailUrl));
  return { mailer: mailer(folder, log), mailbox: folder };
}

function addressesOf(c: DashboardConfig): Addresses {
  const plain = (address: string) => address.replace(/\/+$/, '');
  return {
    dashboard: plain(c.dashboardUrl),
    api: plain(c.apiUrl),
    checkout: plain(c.checkoutUrl),
    sandbox: c.sandboxUrl === undefined ? null : plain(c.sandboxUrl),
  };
}

function sandboxOf(c: DashboardConfig): SandboxAccounts | null {
  if (c.sandboxUrl === undefined || c.sandboxCallbacks === undefined) return null;
  return sandboxAt(c.sandboxUrl, readCallbacks(c.sandboxCallbacks));
}
