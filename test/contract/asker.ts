import type { ApiContract } from '@gp/testing';
import { isStream, readText } from '../support/read-text.ts';
import type { Caller, Cast } from './cast.ts';
import type { Described, Draft } from './requests.ts';

/** Ends what hangs. */
const PATIENCE_MS = 35_000;
const LIMITS = ['limit', 'remaining', 'reset'].map((name) => `ratelimit-${name}`);

/** A generated request of an operation, by one of the callers. */
export type Asked = { readonly draft: Draft; readonly operation: Described; readonly who: Caller };
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  readonly path: string;
};

export type Asker = {
  /** Sends a request; rejects for an answer that the document does not declare, and when there is none in time. */
  ask(asked: Asked): Promise<Answer>;
  /** Returns the fault of an answer that is declared; undefined for a good one. */
  findFault(asked: Asked, answer: Answer): string | undefined;
};

/** Sends generated requests to the public API at `base` and judges the answers by the published description. */
export function openAsker({
  base,
  cast,
  published,
}: {
  base: string;
  cast: Cast;
  published: ApiContract;
}): Asker {
  async function ask({ draft, who }: Asked): Promise<Answer> {
    const { method, operation, pick } = draft;
    const [path, body] = [draft.path, draft.body ?? ''].map((text) => cast.filled(text, operation, pick));
    const key = cast.credentials[who];
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { ...draft.headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      ...(draft.body !== undefined && body !== '' && { body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await readText(response);
    const read: unknown = isStream(response) ? text : JSON.parse(text);
    const answer = { status: response.status, headers: response.headers, body: read };
    const headers = Object.fromEntries(answer.headers);
    const request = answer.status < 300 && body ? { request: JSON.parse(body) as unknown } : {};
    published.assertExchange({ method, path: path ?? '', ...request, ...answer, headers });
    return { ...answer, path: path ?? '' } as Answer;
  }

  function findFault({ draft, operation, who }: Asked, answer: Answer): string | undefined {
    const { status, headers, body } = answer;
    if (status >= 500) return 'is a failure of ours';
    if (/node_modules|\.ts:\d|\n\s+at /.test(JSON.stringify(body))) return 'tells of our insides';
    // A request that cannot be read is refused before its credentials are checked.
    if (body['code'] === 'malformed_request') return draft.fault === 'path' ? undefined : 'could be read';
    if (who === 'nobody' || who === 'junk') return status === 401 ? undefined : 'was given to a stranger';
    const isToken = who.endsWith('token');
    if (isToken && !operation.accepts.includes('sessionToken'))
      return status === 403 ? undefined : 'was given to a token that does not open it';
    if (![401, 403].includes(status) && LIMITS.some((name) => !headers.has(name)))
      return 'does not tell the limits';
    if (status < 400 && !isForCaller(who, answer.path)) return 'is about what belongs to somebody else';
    // To a secret key the group in the path of a confirm is routing only (A10).
    const isRouted = draft.fault === 'path' && operation.id === 'confirmPayment' && who === 'owner';
    if (status < 400 && draft.fault !== undefined && !isRouted)
      return `was given although the ${draft.fault} is wrong`;
    const isJudged = who === 'owner' && (draft.fault === 'body' || draft.fault === 'query');
    return isJudged && ![400, 413, 415].includes(status) ? 'does not say what is wrong' : undefined;
  }

  function isForCaller(who: Caller, path: string): boolean {
    if (who === 'owner') return true;
    if (who === 'session token') return path.includes(cast.tokenGroup);
    return who === 'reading token' ? false : !/[0-9a-f]{8}-[0-9a-f]{4}/.test(path.split('?')[0] ?? '');
  }

  return { ask, findFault };
}
