import type { HttpHead } from './types.ts';

/** Returns the value of a cookie as the browser sent it; undefined without one of that name. The first of several counts. */
export function readCookie({ headers }: Pick<HttpHead, 'headers'>, wanted: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name, ...value] = part.trim().split('=');
    if (name === wanted && value.length > 0) return value.join('=');
  }
  return undefined;
}
