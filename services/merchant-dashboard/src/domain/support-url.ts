import { SUPPORT_URL_LENGTH } from '@gp/contracts';

/** A page as it is stored, or what is wrong with the text. */
export type ReadPage = { readonly url: string } | { readonly fault: string };

/**
 * Reads the address of a page on which payers find help. It is of `https:`, names no user, whom a payer could take for the
 * site, and has a host with a name of the internet; it is returned as browsers write it.
 */
export function readSupportUrl(entered: string): ReadPage {
  const url = URL.parse(entered.trim());
  if (url?.protocol !== 'https:') return { fault: 'must be an address such as https://shop.example/help' };
  if (url.username !== '' || url.password !== '') return { fault: 'must name no user' };
  if (!/\.(?:\p{L}{2,}|xn--[a-z0-9-]+)$/u.test(url.hostname))
    return { fault: 'must be on a host that payers reach' };
  if (url.href.length > SUPPORT_URL_LENGTH)
    return { fault: `must have at most ${SUPPORT_URL_LENGTH} characters` };
  return { url: url.href };
}
