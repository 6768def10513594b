import { send, sendUntilAnswered, type Answer, type Json } from './api.ts';
import type { StackFile } from './stack.ts';

/** The dashboard as a person of a merchant uses it; every act is repeated until it is answered. */
export type DashboardClient = {
  readonly get: (path: string) => Promise<Answer>;
  /** `once` names an act that moves money: repeated, it is the same one. */
  readonly post: (path: string, body: Json, once?: string) => Promise<Answer>;
  readonly put: (path: string, body: Json) => Promise<Answer>;
  readonly remove: (path: string) => Promise<Answer>;
  /** Follows the changes of a mode until `close`. */
  readonly follow: (mode: 'test' | 'live') => Promise<FollowedChanges>;
};

/** A live stream: `text` returns what it has sent so far. */
export type FollowedChanges = { readonly text: () => string; readonly close: () => Promise<void> };

/** Logs in. */
export async function openDashboard(
  stack: Pick<StackFile, 'dashboard'>,
  person: { email: string; password: string },
): Promise<DashboardClient> {
  const { email, password } = person;
  const login = await sendUntilAnswered('POST', `${stack.dashboard}/api/login`, { email, password });
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const ask = (method: string, path: string, body?: Json, once?: string) =>
    sendUntilAnswered(method, `${stack.dashboard}/api/${path}`, body, {
      cookie,
      ...(once !== undefined && { 'idempotency-key': once }),
    });
  return {
    get: (path) => ask('GET', path),
    post: (path, body, once) => ask('POST', path, body, once),
    put: (path, body) => ask('PUT', path, body),
    remove: (path) => ask('DELETE', path),
    follow: (mode) => followChanges(`${stack.dashboard}/api/${mode}/changes`, cookie),
  };
}

async function followChanges(url: string, cookie: string): Promise<FollowedChanges> {
  const left = new AbortController();
  const { status, body } = await fetch(url, { headers: { cookie }, signal: left.signal });
  if (status !== 200 || !body) throw new Error(`${url} answered ${status}`);
  let text = '';
  const reading = (async () => {
    for await (const piece of body.pipeThrough(new TextDecoderStream())) text += piece;
  })().catch(() => undefined);
  return {
    text: () => text,
    async close() {
      left.abort();
      await reading;
    },
  };
}

/** The secret in the newest link that was mailed to an address; undefined before the first mail. */
export async function tokenMailedTo(stack: StackFile, email: string): Promise<string | undefined> {
  const answer = await send('GET', `${stack.dashboard}/api/mailbox?to=${encodeURIComponent(email)}`);
  const { mails = [] } = answer.body as { mails?: { text: string }[] };
  return mails.map(({ text }) => /#token=([\w-]+)/.exec(text)?.[1]).find((token) => token !== undefined);
}
