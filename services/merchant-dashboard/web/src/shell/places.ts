import type { Mode } from './mode.ts';

/** Returns the address of the login, from which the user returns to a place of this site. */
export function loginPath(back: string): string {
  return back === '/' || !isPlace(back) ? '/login' : `/login?next=${encodeURIComponent(back)}`;
}

/** Returns the place to open after the login: `?next=` if it is a place of this site, home otherwise. */
export function placeAfterLogin(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  return isPlace(next) ? next : '/';
}

/**
 * Returns whether it is a path of this site: a link to our login cannot redirect elsewhere, nor back to the login
 * itself.
 */
function isPlace(path: string): boolean {
  return /^\/(?![/\\])[^\\]*$/.test(path) && !/^\/login\b/.test(path);
}

/**
 * Returns the same screen in the other mode, without its details and filters, which name things that do not exist
 * there.
 */
export function inMode(pathname: string, mode: Mode): string {
  const [, , screen] = pathname.split('/');
  return screen ? `/${mode}/${screen}` : `/${mode}`;
}
