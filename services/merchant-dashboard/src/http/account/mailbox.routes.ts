import type { Route } from '@gp/http';
import { escapeHtml, type KeptMail } from '@gp/mail';
import { renderParagraphs } from '../../app/mail/html.ts';
import type { WebParts } from '../../app/ports.ts';
import { guards } from '../request/guards.ts';
import { newNonce, pagePolicy } from '../request/headers.ts';

/**
 * Routes that show the mail a trial stack has written instead of sending it: a page for people, JSON for programs.
 * They do not exist where mail is really sent.
 */
export function mailboxRoutes({ db, mailbox, addresses }: WebParts): Route[] {
  if (!mailbox) return [];
  const { anyone } = guards(db);
  return [
    anyone(['GET', '/mailbox'], async () => {
      const nonce = newNonce();
      return {
        status: 200,
        headers: { 'content-security-policy': pagePolicy(nonce) },
        contentType: 'text/html; charset=utf-8',
        body: page(await mailbox.list(), [addresses.dashboard, addresses.checkout], nonce),
      };
    }),
    anyone(['GET', '/api/mailbox'], async ({ query }) => {
      const to = query.get('to');
      const mails = await mailbox.list();
      return { status: 200, body: { mails: mails.filter((mail) => to === null || mail.to === to) } };
    }),
  ];
}

/** Who gets the mails of a service. */
const READERS: Readonly<Record<string, string>> = {
  'merchant-dashboard': 'a member of a team',
  checkout: 'a payer',
};

function page(mails: readonly KeptMail[], origins: readonly string[], nonce: string): string {
  const articles = mails.map(
    ({ sender, to, subject, text, sent_at }) =>
      `<article><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(READERS[sender] ?? sender)}: ${escapeHtml(to)}, ${escapeHtml(sent_at)}</p>${renderParagraphs(text, origins)}</article>`,
  );
  const content =
    articles.join('<hr>') ||
    '<p>No mail yet. It arrives here when somebody signs up, or pays a merchant who has switched mails to payers on.</p>';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mailbox of this machine</title>
<meta name="viewport" content="width=device-width">
<style nonce="${nonce}">body { overflow-wrap: anywhere }</style></head><body><main><h1>Mailbox of this machine</h1>
<p>This stack is for trying out: what it would mail is shown here instead.</p>${content}</main></body></html>`;
}
