import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@gp/telemetry';
import { toLimits } from './access.config.ts';
import type { Mailbox, Mailer } from './app/mail/mail.ts';
import { openPasswords } from './app/account/passwords.ts';
import type { Addresses, SandboxAccounts, WebParts } from './app/ports.ts';
import type { DashboardConfig } from './config.ts';
import { mailer, toFolder, toRelay } from './outbound/mail.ts';
import { connectSandbox } from './outbound/sandbox.ts';
import { readCallbacks } from './domain/sandbox-callbacks.ts';

type Closable = { close(): Promise<void> };

/** Builds from the settings what the pages' routes need beyond storage and bus. */
export function buildWebParts(
  c: DashboardConfig,
  log: Logger,
): Pick<WebParts, 'limits' | 'passwords' | 'addresses' | 'sandbox' | 'mailbox'> & {
  mailer: (Mailer & Closable) | null;
} {
  return {
    ...openMail(c, log),
    limits: toLimits(c),
    passwords: openPasswords(),
    addresses: toAddresses(c),
    sandbox: openSandbox(c),
  };
}

/** Returns the folder of the built pages. */
export function resolvePagesFolder({ pagesFolder }: DashboardConfig): string {
  return pagesFolder === undefined ? resolve(import.meta.dirname, '../web/dist') : resolve(pagesFolder);
}

function openMail(
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

function toAddresses(c: DashboardConfig): Addresses {
  const plain = (address: string) => address.replace(/\/+$/, '');
  return {
    dashboard: plain(c.dashboardUrl),
    api: plain(c.apiUrl),
    checkout: plain(c.checkoutUrl),
    sandbox: c.sandboxUrl === undefined ? null : plain(c.sandboxUrl),
  };
}

function openSandbox(c: DashboardConfig): SandboxAccounts | null {
  if (c.sandboxUrl === undefined || c.sandboxCallbacks === undefined) return null;
  const callbacks = readCallbacks(c.sandboxCallbacks);
  return connectSandbox({ url: c.sandboxUrl, callbacks, token: c.sandboxControlToken });
}
