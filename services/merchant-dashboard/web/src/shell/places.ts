import type { Mode } from './mode.ts';

/** Where somebody logs in, to come back to a place of this site afterwards. */
export function loginPath(back: string): string {
  return back === '/' || !isPlace(back) ? '/login' : `/login?next=${encodeURIComponent(back)}`;
}

/** Where to go after the login: what `?next=` says if it is a place of this site, home otherwise. */
export function placeAfterLogin(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  return isPlace(next) ? next : '/';
}

/** A path of this very site: nobody is sent elsewhere by a link to our login, nor back to the login itself. */
function isPlace(path: string): boolean {
  return /^\/(?![/\\])[^\\]*$/.test(path) && !/^\/login\b/.test(path);
}

/** The same screen in the other mode; its details and filters stay behind, what they name is not there. */
export function inMode(pathname: string, mode: Mode): string {
  const [, , screen] = pathname.split('/');
  return screen ? `/${mode}/${screen}` : `/${mode}`;
}
