import type { Route } from '@gp/http';
import { escapeHtml } from '@gp/mail';
import { renderParagraphs } from '../../app/mail/html.ts';
import type { ReceivedMail } from '../../app/mail/mail.ts';
import type { WebParts } from '../../app/ports.ts';
import { guards } from '../request/guards.ts';

/**
 * Routes that show the mail a trial stack has written instead of sending it: a page for people, JSON for programs.
 * They do not exist where mail is really sent.
 */
export function mailboxRoutes({ db, mailbox, addresses }: WebParts): Route[] {
  if (!mailbox) return [];
  const { anyone } = guards(db);
  return [
    anyone(['GET', '/mailbox'], async () => ({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      body: page(await mailbox.list(), addresses.dashboard),
    })),
    anyone(['GET', '/api/mailbox'], async ({ query }) => {
      const to = query.get('to');
      const mails = await mailbox.list();
      return { status: 200, body: { mails: mails.filter((mail) => to === null || mail.to === to) } };
    }),
  ];
}

function page(mails: readonly ReceivedMail[], dashboard: string): string {
  const articles = mails.map(
    ({ to, subject, text, sent_at }) =>
      `<article><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(to)}, ${escapeHtml(sent_at)}</p>${renderParagraphs(text, dashboard)}</article>`,
  );
  const content = articles.join('<hr>') || '<p>No mail yet. It arrives here when somebody signs up.</p>';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mailbox of this machine</title>
<meta name="viewport" content="width=device-width"></head><body><main><h1>Mailbox of this machine</h1>
<p>This stack is for trying out: what it would mail is shown here instead.</p>${content}</main></body></html>`;
}
