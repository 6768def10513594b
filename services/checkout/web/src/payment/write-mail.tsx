import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { accentProperties } from '@gp/primitives';
import type { MailWish, WrittenMail } from '../bootstrap.ts';
import { findDirection } from '../i18n/direction.ts';
import type { Translate } from '../i18n/translate.ts';
import { Contacts } from './contacts.tsx';
import { speakOf, type Speech } from './speak.ts';
import { listContacts, type Support } from './support.ts';

/** Writes a mail to a payer, as text and as HTML that loads nothing. */
export function writeMail({ kind, payment, page }: MailWish): WrittenMail {
  const speech = speakOf(payment);
  const { own, facts, t } = speech;
  const title = writeTitle({ kind, payment }, speech);
  const paragraphs = [
    ...(payment.mode === 'test' ? [t('testMode')] : []),
    ...writeBody({ kind, payment }, speech),
  ];
  const link = nameLink(kind, speech);
  const from = payment.payee === null ? title : `${payment.payee}: ${title}`;
  return {
    subject: payment.mode === 'test' ? `[${own.testSubject}] ${from}` : from,
    text: [
      title,
      ...paragraphs,
      facts.join('\n'),
      `${link}:\n${page}`,
      ...writeContacts(payment.support, t),
      own.why,
      `${own.unsubscribe}:\n${page}`,
    ].join('\n\n'),
    html: `<!doctype html>\n${renderToString(<Letter {...{ title, paragraphs, link, page, speech, payment }} />)}\n`,
  };
}

/** Whom the payer may ask, on a line each. */
function writeContacts(support: Support | undefined, t: Translate): string[] {
  const contacts = listContacts(support).map(({ text }) => text);
  return contacts.length === 0 ? [] : [[t('questions'), ...contacts].join('\n')];
}

type Told = Pick<MailWish, 'kind' | 'payment'>;

/** What the link says: a payer who is asked to pay has no payment to see. */
const nameLink = (kind: MailWish['kind'], { own }: Speech): string =>
  kind === 'organiser_reminder' ? own.payNow : own.see;

function writeTitle({ kind, payment }: Told, { t, fill, amount, refunded }: Speech): string {
  const { name, missing } = payment.group;
  if (kind === 'reminder' || kind === 'organiser_reminder') return `${name}: ${t.many('waiting', missing)}`;
  return fill(`${kind}Subject`, { amount: kind === 'refunded' ? refunded : amount, name });
}

/** No sentence asks to send a link on: the only one in the mail is this payer's own. The page behind it has the others'. */
function writeBody({ kind, payment }: Told, { t, own, amount, refunded, ends, why }: Speech): string[] {
  const { missing } = payment.group;
  switch (kind) {
    case 'held':
      return [t('doneText', { amount }), ...(missing > 0 ? [`${t.many('waiting', missing)} ${ends}`] : [])];
    case 'charged':
      return [t('minePaid', { amount })];
    case 'released':
      return [...why, t('mineReleased', { amount })];
    case 'refunded':
      return [t('mineRefunded', { amount: refunded })];
    case 'organiser_reminder':
      return [own.asked, amount, own.notHeld, ends];
    case 'reminder':
      return [ends, t('doneText', { amount })];
  }
}

const INK = '#1d1f23';
const styles = {
  body: `margin:0;padding:24px 16px;background:#f4f3ef;color:${INK};font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;overflow-wrap:anywhere`,
  sheet:
    'max-width:34em;margin:0 auto;padding:24px 20px;background:#ffffff;border:1px solid #d9d6cd;border-radius:14px',
  title: 'margin:0 0 16px;font-size:22px;line-height:1.25',
  text: 'margin:0 0 16px',
  facts:
    'margin:0 0 24px;padding:16px 0 0;border-top:1px solid #d9d6cd;list-style:none;color:#5c6068;font-size:14px',
  fact: 'margin:0 0 4px',
  small: 'max-width:34em;margin:16px auto 0;padding:0 20px;color:#5c6068;font-size:13px',
};
const button = (background: string, color: string): string =>
  `display:inline-block;padding:12px 20px;border-radius:10px;background:${background};color:${color};font-weight:600;text-decoration:none`;

type Parts = Pick<MailWish, 'payment' | 'page'> & {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly link: string;
  readonly speech: Speech;
};

const FOOT_LINK = 'color:#1f5f8b';

function Letter({ title, paragraphs, link, page, speech, payment }: Parts): JSX.Element {
  const { own, facts } = speech;
  const accent = accentProperties(payment.brand_color);
  const look = button(accent['--accent-light'] ?? '#1f5f8b', accent['--on-accent-light'] ?? '#ffffff');
  return (
    <html lang={payment.locale} dir={findDirection(payment.locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>{title}</title>
      </head>
      <body style={styles.body}>
        <main style={styles.sheet}>
          <h1 style={styles.title}>{title}</h1>
          {paragraphs.map((text) => (
            <Paragraph key={text}>{text}</Paragraph>
          ))}
          <ul style={styles.facts}>
            {facts.map((fact) => (
              <li key={fact} style={styles.fact}>
                {fact}
              </li>
            ))}
          </ul>
          <a href={page} style={look}>
            {link}
          </a>
        </main>
        <footer style={styles.small}>
          <Contacts support={payment.support} t={speech.t} style={FOOT_LINK} />
          {own.why}{' '}
          <a href={page} style={FOOT_LINK}>
            {own.unsubscribe}
          </a>
        </footer>
      </body>
    </html>
  );
}

const Paragraph = ({ children }: { children: ComponentChildren }): JSX.Element => (
  <p style={styles.text}>{children}</p>
);
