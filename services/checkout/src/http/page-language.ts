import { readCookie, type HttpHead } from '@gp/http';

const COOKIE = 'lang';
/** Tags of languages with regions, such as `es` or `en-AU`; nothing else is kept. */
const TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i;

/** Returns the language that the address asks for, or the one that it asked for before the bank or a reload. */
export const readAskedLanguage = (head: HttpHead): string | undefined =>
  head.query.get('lang') ?? readCookie(head, COOKIE);

/**
 * Returns a header that makes the browser keep the requested language for this link until it closes; no header when
 * the address asks for none. Banks send payers back to the address without `?lang=`.
 */
export function keepAskedLanguage({ query, path }: HttpHead): Readonly<Record<string, string>> {
  const asked = query.get('lang') ?? '';
  return TAG.test(asked) ? { 'Set-Cookie': `${COOKIE}=${asked}; Path=${path}; HttpOnly; SameSite=Lax` } : {};
}
