import type { Translate } from '../i18n/translate.ts';
import { listContacts, type Support } from './support.ts';

type Props = {
  readonly support: Support | undefined;
  readonly t: Translate;
  /** How the links look in a mail, which has no style sheet. */
  readonly style?: string;
};

/** Whom a payer may ask; nothing where the merchant names nobody. Links open in a tab of their own, which cannot reach this one. */
export function Contacts({ support, t, style }: Props) {
  const contacts = listContacts(support);
  if (contacts.length === 0) return null;
  const look = style === undefined ? { class: 'link' } : { style };
  return (
    <p class="contact">
      {t('questions')}
      {contacts.map(({ href, text }, at) => [
        at > 0 ? ' · ' : ' ',
        <a key={href} href={href} target="_blank" rel="noopener noreferrer" {...look}>
          <bdi dir="ltr">{text}</bdi>
        </a>,
      ])}
    </p>
  );
}
