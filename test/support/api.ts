import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { contract } from '@gp/testing';

export type Json = Record<string, unknown>;
export type Answer<T = Json> = { readonly status: number; readonly headers: Headers; readonly body: T };

export type Slot = {
  id: string;
  sequence_no: number;
  amount: number;
  state: string;
  assigned_customer_id: string | null;
};
export type GroupPayment = {
  id: string;
  merchant_id: string;
  group_name: string;
  merchant_order_id: string;
  total_amount: number;
  currency: string;
  expires_at: string;
  state: string;
};
export type Group = { group_payment: GroupPayment; payment_slots: Slot[]; checkout_url: string };
export type Pay = {
  psp_code: string;
  payment_intent_id: string;
  amount: number;
  currency: string;
  slot_ids: string[];
  is_test_mode: boolean;
  client_secret?: string;
  gateway_a_account_id?: string;
  publishable_key?: string;
  card_field_team_id?: string;
  card_field_app_id?: string;
  gateway_c_form?: { url: string; body: Record<string, string> };
};

/** An answer that a retry cannot change. */
export class ApiFailure extends Error {
  readonly answer: Answer;
  constructor(what: string, answer: Answer) {
    super(`${what} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    this.answer = answer;
  }
}

/** An adapter that dies while a card is being authorised leaves a doubt for up to two minutes (R4, B1). */
const RETRY_FOR_MS = 180_000;

/** One request, no retries; a connection that fails is an error, and so is an answer of the API's own making. */
export async function send(method: string, url: string, body?: unknown, headers: Json = {}): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(headers as Record<string, string>),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(40_000),
  });
  const text = await response.text();
  const answer = { status: response.status, headers: response.headers, body: parse(text) };
  await assertPublished(method, new URL(url), body, answer);
  return answer;
}

/** Every answer of the public API is one that openapi.json declares. */
async function assertPublished(method: string, url: URL, request: unknown, answer: Answer): Promise<void> {
  if (!url.pathname.startsWith('/v1/')) return;
  const sent = request === undefined ? {} : { request: JSON.parse(JSON.stringify(request)) as unknown };
  const { status, body } = answer;
  const headers = Object.fromEntries(answer.headers);
  (await contract()).assertExchange({ method, path: url.pathname, ...sent, status, headers, body });
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { text };
  }
}

/**
 * Sends until there is an answer that is final: what a careful client does. Connection failures, 5xx, 429 and
 * "key in use" are tried again with the same headers, so with an idempotency key the action happens once.
 */
export async function sendUntilAnswered(
  method: string,
  url: string,
  body?: unknown,
  headers: Json = {},
): Promise<Answer> {
  const giveUpAt = Date.now() + RETRY_FOR_MS;
  for (let tries = 0; ; tries++) {
    // Marked by its shape: an error of the platform's own is no `Error` of a test's realm.
    const { answer, error } = await send(method, url, body, headers).then(
      (given) => ({ answer: given, error: undefined }),
      (failure: unknown) => ({ answer: undefined, error: failure }),
    );
    if (answer && !isPassing(answer)) {
      if (answer.status < 300) return answer;
      throw new ApiFailure(`${method} ${url}`, answer);
    }
    if (Date.now() > giveUpAt)
      throw answer
        ? new ApiFailure(`${method} ${url}`, answer)
        : new Error(`${method} ${url} failed`, { cause: error });
    await delay(Math.max(Math.min(1_000, 100 * 2 ** tries), retryAfterMs(answer)));
  }
}

function retryAfterMs(answer: Answer | undefined): number {
  return Math.min(Number(answer?.headers.get('retry-after') ?? 0), 5) * 1_000;
}

function isPassing({ status, body }: Answer): boolean {
  return status >= 500 || status === 429 || body['code'] === 'idempotency_key_in_use';
}

/** The public API as a merchant's server calls it. */
export function merchantApi(base: string, key: string) {
  const auth = { authorization: `Bearer ${key}` };
  const call = async <T>(method: string, path: string, body?: unknown, headers: Json = {}) =>
    (await sendUntilAnswered(method, base + path, body, { ...auth, ...headers })).body as T;
  const once = () => ({ 'idempotency-key': randomUUID() });
  return {
    createGroup: (body: Json) => call<Group>('POST', '/v1/group-payments', body, once()),
    findGroup: (id: string) => call<Group>('GET', `/v1/group-payments/${id}`),
    pay: (id: string, body: Json) => call<Pay>('POST', `/v1/group-payments/${id}/pay`, body, once()),
    confirm: (id: string, body: Json) =>
      call<{ status: string }>('POST', `/v1/group-payments/${id}/confirm`, body),
    createWebhook: (url: string) => call<{ id: string; secret: string }>('POST', '/v1/webhooks', { url }),
    /** Waits until the group is in one of these states. */
    async becomes(id: string, states: readonly string[], withinMs = 60_000): Promise<Group> {
      for (const giveUpAt = Date.now() + withinMs; ; await delay(100)) {
        const group = await call<Group>('GET', `/v1/group-payments/${id}`);
        if (states.includes(group.group_payment.state)) return group;
        if (Date.now() > giveUpAt)
          throw new Error(`group ${id} is ${group.group_payment.state}, not ${states.join(' or ')}`);
      }
    },
    /** Waits until the slot at this index of the group is in this state. */
    async slotBecomes(id: string, index: number, state: string, withinMs = 60_000): Promise<void> {
      for (const giveUpAt = Date.now() + withinMs; ; await delay(100)) {
        const slot = (await call<Group>('GET', `/v1/group-payments/${id}`)).payment_slots[index];
        if (slot?.state === state) return;
        if (Date.now() > giveUpAt) throw new Error(`slot ${index} is ${slot?.state}, not ${state}`);
      }
    },
  };
}
export type MerchantApi = ReturnType<typeof merchantApi>;
