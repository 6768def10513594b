import type { HttpHead } from '@gp/http';

/** `__Host-`: only over a secure connection (browsers count loopback as one), for this very host, for every path. */
const NAME = '__Host-gp_session';
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
const ABSOLUTE_SECONDS = 12 * 60 * 60;

export function sessionCookie(secret: string): string {
  return `${NAME}=${secret}; ${ATTRIBUTES}; Max-Age=${ABSOLUTE_SECONDS}`;
}

export const endedCookie = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

/** Returns the session's secret as the browser sent it. */
export function readSessionSecret(head: Pick<HttpHead, 'headers'>): string | undefined {
  for (const part of (head.headers.cookie ?? '').split(';')) {
    const [name, ...value] = part.trim().split('=');
    if (name === NAME && value.length > 0) return value.join('=');
  }
  return undefined;
}
