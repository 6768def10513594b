import type { publicApi } from '@gp/contracts';
import type { CompletedGroup } from '../host.ts';
import { UNANSWERED, type FetchResult, type Refused } from './failure.ts';

/** The body of POST …/pay. */
export type PayRequest = {
  readonly customer_email: string;
  readonly customer_name?: string | undefined;
  /** Whether the other payers may see the name. */
  readonly show_name?: boolean | undefined;
  readonly slot_ids: readonly string[];
  /** Currency units. */
  readonly tip?: number | undefined;
  /** The time zone of the browser, for mails to the payer. */
  readonly time_zone?: string | undefined;
};

/** Returns the token to send, empty where the address is the secret, and another one in place of one that was refused. */
export type Tokens = { token(): string; refreshToken(refused: string): Promise<string> };

/** Longer than the 25 s that a confirm may wait for another try in flight. */
const PATIENCE_MS = 35_000;

type Send = { readonly path: string; readonly body?: unknown; readonly key?: string };

/** The calls of the public API that a payer's page makes. No call throws: failures are part of the result. */
export function paymentApi(o: { apiUrl: string; groupId: string; tokens: Tokens; language?: string }) {
  const base = `${o.apiUrl}/v1/group-payments/${o.groupId}`;

  const send = <T>({ path, body, key }: Send): Promise<FetchResult<T>> =>
    ask<T>(o.tokens, base + path, PATIENCE_MS, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
        // The language of this page, which its payer may have chosen: that of the mails.
        ...(o.language !== undefined && { 'Accept-Language': o.language }),
      },
    });

  return {
    /** Returns the group as the API shows it to a session token. */
    read: async (): Promise<FetchResult<CompletedGroup>> => {
      const answer = await send<{ group_payment: CompletedGroup }>({ path: '' });
      return answer.kind === 'ok' ? { kind: 'ok', body: answer.body.group_payment } : answer;
    },
    pay: (body: PayRequest, key: string): Promise<FetchResult<publicApi.PayResponse>> =>
      send({ path: '/pay', body, key }),
    confirm: (body: publicApi.ConfirmRequest): Promise<FetchResult<publicApi.ConfirmResponse>> =>
      send({ path: '/confirm', body }),
  };
}
export type PaymentApi = ReturnType<typeof paymentApi>;

/** Sends a request; once more with another token where the first one has ended, and so was refused before anything was done. */
export async function ask<T>(
  tokens: Tokens,
  url: string,
  patienceMs: number,
  init: { readonly headers?: Readonly<Record<string, string>> } & Pick<RequestInit, 'method' | 'body'> = {},
): Promise<FetchResult<T>> {
  const send = (token: string): Promise<FetchResult<T>> =>
    answered(patienceMs, (signal) =>
      fetch(url, {
        ...init,
        headers: { ...init.headers, Authorization: `Bearer ${token}` },
        signal,
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      }),
    );
  const token = tokens.token();
  const answer = await send(token);
  if (answer.kind !== 'refused' || answer.code !== 'unauthorized') return answer;
  const fresh = await tokens.refreshToken(token).catch(() => undefined);
  return fresh === undefined ? answer : send(fresh);
}

/** Turns every outcome of a request into an answer, and ends the request after a time. */
export async function answered<T>(
  patienceMs: number,
  request: (signal: AbortSignal) => Promise<Response>,
): Promise<FetchResult<T>> {
  // `AbortSignal.timeout` is newer than the browsers that are promised.
  const limit = new AbortController();
  const late = setTimeout(() => limit.abort(), patienceMs);
  try {
    const response = await request(limit.signal);
    const body: unknown = await response.json();
    return response.ok ? { kind: 'ok', body: body as T } : refusal(response, body);
  } catch {
    return UNANSWERED;
  } finally {
    clearTimeout(late);
  }
}

function refusal(response: Response, body: unknown): Refused {
  const { code, param } = body as Partial<Pick<Refused, 'code' | 'param'>>;
  return {
    kind: 'refused',
    status: response.status,
    code: code ?? 'unknown',
    param,
    retryAfterSeconds: Number(response.headers.get('Retry-After')) || undefined,
  };
}
