import type { Route } from '@gp/http';
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
      `<article><h2>${escaped(subject)}</h2><p>To ${escaped(to)}, ${escaped(sent_at)}</p>${linked(text, dashboard)}</article>`,
  );
  const content = articles.join('<hr>') || '<p>No mail yet. It arrives here when somebody signs up.</p>';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mailbox of this machine</title>
<meta name="viewport" content="width=device-width"></head><body><main><h1>Mailbox of this machine</h1>
<p>This stack is for trying out: what it would mail is shown here instead.</p>${content}</main></body></html>`;
}

/** Turns lines that are links of ours into HTML links. */
function linked(text: string, dashboard: string): string {
  return text
    .split('\n\n')
    .map((line) => escaped(line))
    .map((line) =>
      line.startsWith(`${dashboard}/`) ? `<p><a href="${line}">${line}</a></p>` : `<p>${line}</p>`,
    )
    .join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
