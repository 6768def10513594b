import type { Translate } from '../i18n/translate.ts';
import { listContacts, type Support } from './support.ts';

/** Whom a payer may ask; nothing where the merchant names nobody. Links open in a tab of their own, which cannot reach this one. */
export function Contacts({ support, t }: { support: Support | undefined; t: Translate }) {
  const contacts = listContacts(support);
  if (contacts.length === 0) return null;
  return (
    <p class="contact">
      {t('questions')}
      {contacts.map(({ href, text }, at) => [
        at > 0 ? ' · ' : ' ',
        <a key={href} class="link" href={href} target="_blank" rel="noopener noreferrer">
          <bdi dir="ltr">{text}</bdi>
        </a>,
      ])}
    </p>
  );
}
