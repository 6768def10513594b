import { resolve } from 'node:path';
import { isMailFolder, openDelivery, openMailbox, type Mailbox } from '@gp/mail';
import type { Logger } from '@gp/telemetry';
import { toLimits } from './access.config.ts';
import type { Deliver } from './app/mail/mail.ts';
import { renderMail } from './app/mail/html.ts';
import { openDownloads } from './app/downloads.ts';
import { openPasswords } from './app/account/passwords.ts';
import type { Addresses, SandboxAccounts, WebParts } from './app/ports.ts';
import type { DashboardConfig } from './config.ts';
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
export function openMail(
  c: DashboardConfig,
  log: Pick<Logger, 'warn'>,
): { readonly deliver: Deliver | null; readonly mailbox: Mailbox | null } {
  const { mailUrl } = c;
  const { dashboard } = toAddresses(c);
  const handOver = openDelivery(c, { host: new URL(dashboard).hostname, sender: 'merchant-dashboard' });
  if (handOver === undefined) {
    log.warn({}, 'no MAIL_URL: nobody can sign up, be invited or choose a new password by mail');
    return { deliver: null, mailbox: null };
  }
  const deliver: Deliver = (mail) => handOver({ ...mail, html: renderMail({ ...mail, dashboard }) });
  return { deliver, mailbox: isMailFolder(mailUrl) ? openMailbox(mailUrl) : null };
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
