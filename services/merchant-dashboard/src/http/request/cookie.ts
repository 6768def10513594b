import { readCookie, type HttpHead } from '@gp/http';
import type { From } from '../../app/account/log-in.ts';
import { readPlace } from './place.ts';

/** `__Host-`: only over a secure connection (browsers count loopback as one), for this very host, for every path. */
const SESSION = '__Host-gp_session';
const DEVICE = '__Host-gp_device';
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
const SESSION_SECONDS = 12 * 60 * 60;
/** The longest time for which browsers keep a cookie. */
const DEVICE_SECONDS = 400 * 24 * 60 * 60;

export function sessionCookie(secret: string): string {
  return `${SESSION}=${secret}; ${ATTRIBUTES}; Max-Age=${SESSION_SECONDS}`;
}

/** Identifies the browser to its user's later logins; it opens nothing. */
function deviceCookie(secret: string): string {
  return `${DEVICE}=${secret}; ${ATTRIBUTES}; Max-Age=${DEVICE_SECONDS}`;
}

/** Returns the cookies of a session that begins; a login that still awaits a code makes no device known. */
export function buildCookies({ secret, device }: { secret: string; device: string | undefined }): string[] {
  return [sessionCookie(secret), ...(device === undefined ? [] : [deviceCookie(device)])];
}

/** Returns the address of a login, and the cookies that the browser got before. */
export function readFrom(head: Pick<HttpHead, 'remoteAddress' | 'headers'>): From {
  return { place: readPlace(head), previous: readSessionSecret(head), device: readDeviceSecret(head) };
}

export const endedCookie = `${SESSION}=; ${ATTRIBUTES}; Max-Age=0`;

/** Returns the session's secret as the browser sent it. */
export function readSessionSecret(head: Pick<HttpHead, 'headers'>): string | undefined {
  return readCookie(head, SESSION);
}

/** Returns the device's secret as the browser sent it. */
function readDeviceSecret(head: Pick<HttpHead, 'headers'>): string | undefined {
  return readCookie(head, DEVICE);
}
