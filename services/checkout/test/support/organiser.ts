import type { FoundGroup } from '@gp/contracts';
import { organised, organiserToken } from './checkout.ts';
import type { CheckoutWeb } from './web.ts';

/** The page of the group's organiser. */
export const PAGE = `/o/${organiserToken}`;

/** Returns the group of that link, whose organiser has other rights. */
export const organisedWith = (
  changed: Partial<NonNullable<FoundGroup['group']['organiser']>>,
): FoundGroup => ({
  ...organised,
  group: { ...organised.group, organiser: { ...organised.group.organiser!, ...changed } },
});

/** Visitors of organisers' pages, each request from another network, so that no test uses up the limit of another one. */
export function openVisitors(web: () => CheckoutWeb) {
  let from = 0;
  let links = 0;
  const ask = (path: string, init: RequestInit = {}) =>
    web().ask(path, {
      ...init,
      headers: { 'x-forwarded-for': `198.51.100.${(from = (from + 1) % 250)}`, ...(init.headers as object) },
    });
  return {
    ask,
    /** Sends an action as the page does. */
    post: (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
      ask(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
      }),
    /** Another link of the same group, whose limit no other test has used. */
    newLink: () => `/o/${`${(links += 1)}`.padStart(22, 'o')}`,
  };
}
