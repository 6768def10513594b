import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSmtp, toSmtpSettings } from '@gp/mail';
import type { Logger } from '@gp/telemetry';
import { toLimits } from './access.config.ts';
import type { Deliver, Mailbox } from './app/mail/mail.ts';
import { renderMail } from './app/mail/html.ts';
import { openDownloads } from './app/downloads.ts';
import { openPasswords } from './app/account/passwords.ts';
import type { Addresses, SandboxAccounts, WebParts } from './app/ports.ts';
import type { DashboardConfig } from './config.ts';
import { openMailFolder } from './outbound/mail-folder.ts';
import { connectSandbox } from './outbound/sandbox.ts';
import { readCallbacks } from './domain/sandbox-callbacks.ts';

/** Builds from the settings what the pages' routes need beyond storage and bus. */
export function buildWebParts(
  c: DashboardConfig,
): Pick<WebParts, 'limits' | 'passwords' | 'downloads' | 'addresses' | 'sandbox'> {
  return {
    limits: toLimits(c),
    passwords: openPasswords(),
    downloads: openDownloads(),
    addresses: toAddresses(c),
    sandbox: openSandbox(c),
  };
}

/** Returns the folder of the built pages. */
export function resolvePagesFolder({ pagesFolder }: DashboardConfig): string {
  return pagesFolder === undefined ? resolve(import.meta.dirname, '../web/dist') : resolve(pagesFolder);
}

/** Returns how this installation delivers mail, and its mailbox where that is a folder; null where it sends none. */
export function openDelivery(
  c: DashboardConfig,
  log: Pick<Logger, 'warn'>,
): { readonly deliver: Deliver | null; readonly mailbox: Mailbox | null } {
  const { mailUrl } = c;
  if (mailUrl?.startsWith('file:')) {
    const folder = openMailFolder(fileURLToPath(mailUrl));
    return { deliver: folder.deliver, mailbox: folder };
  }
  const { dashboard } = toAddresses(c);
  const settings = toSmtpSettings(c, new URL(dashboard).hostname);
  if (settings === undefined) {
    log.warn({}, 'no MAIL_URL: nobody can sign up, be invited or choose a new password by mail');
    return { deliver: null, mailbox: null };
  }
  const handOver = openSmtp(settings);
  const deliver: Deliver = (mail) => handOver({ ...mail, html: renderMail({ ...mail, dashboard }) });
  return { deliver, mailbox: null };
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
