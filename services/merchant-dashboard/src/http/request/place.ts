import type { HttpHead } from '@gp/http';
import type { Place } from '../../app/account/sessions.ts';

const LONGEST = 300;

/** Returns where a request comes from, as its user may recognise it later. */
export function readPlace({ remoteAddress, headers }: Pick<HttpHead, 'remoteAddress' | 'headers'>): Place {
  const userAgent = headers['user-agent']?.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST) ?? null;
  return { address: remoteAddress, userAgent };
}
