import type { Bootstrap, Session } from '../bootstrap.ts';
import { findBank } from '../gateways/find-bank.ts';
import type { Host } from '../host.ts';

/** The hosted page is its own host: its token comes with it, and from `session_path` once that one has ended. */
export function pageHost({ group, session, session_path, gateway }: Bootstrap): Host {
  const bank = findBank(gateway);
  let token = session.token;
  let refreshing: Promise<string> | undefined;
  const refresh = async (): Promise<string> => {
    const response = await fetch(session_path ?? '', { method: 'POST', referrerPolicy: 'no-referrer' });
    if (!response.ok) throw new Error('no new session');
    token = ((await response.json()) as Session).token;
    return token;
  };
  return {
    kind: 'page',
    groupPaymentId: group.id,
    token: () => token,
    refreshToken(refused) {
      if (refused !== token) return Promise.resolve(token);
      refreshing ??= refresh().finally(() => (refreshing = undefined));
      return refreshing;
    },
    returnUrl: (id) => `${location.origin}${location.pathname}?payment=${id}`,
    onComplete: () => undefined,
    onError: () => undefined,
    navigateTop: ({ url, fields }) => {
      const isBank = bank !== undefined && new URL(url).origin === new URL(bank).origin;
      return isBank ? postAtTop(url, fields) : Promise.reject(new Error('this is not the bank'));
    },
  };
}

/** Leaves the page by submitting a form; the browser then unloads the page. */
function postAtTop(url: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = url;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  return Promise.resolve();
}
