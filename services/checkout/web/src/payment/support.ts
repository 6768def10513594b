/** How a payer reaches the merchant, as the merchant states it; each part is absent where there is none. */
export type Support = {
  /** An e-mail address. */
  readonly email?: string;
  /** An address of `https:`, as browsers write it. */
  readonly url?: string;
};

/** A way to reach the merchant: its link, and the link's text. */
export type Contact = { readonly href: string; readonly text: string };

const HTTPS = 'https://';

/**
 * Returns the ways to reach a merchant. The text of each link says where it leads, and a page that is not of `https:` is left
 * out, whatever was stored.
 */
export function listContacts({ email, url }: Support = {}): Contact[] {
  const contacts: Contact[] = [];
  if (email !== undefined) contacts.push({ href: toMailLink(email), text: email });
  if (url?.startsWith(HTTPS)) contacts.push({ href: url, text: url.slice(HTTPS.length).replace(/\/$/, '') });
  return contacts;
}

/** Each part is encoded, so that no sign of an address begins the fields of a mail, such as its text. */
const toMailLink = (email: string): string => `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;
