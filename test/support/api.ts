import { setTimeout as delay } from 'node:timers/promises';
import {
  openClient,
  type ConfirmRequest,
  type CreateGroupPaymentRequest,
  type GroupPaymentWithSlots,
  type PayRequest,
  type TestClock,
} from '@group-payments/client';
import type { AnyClientData, PspCode } from '@gp/gateway-registry';
import { TimeoutError } from '@gp/testing';
import { apiContract } from './api-contract.ts';
import { isStream, readText } from './read-text.ts';

export type Json = Record<string, unknown>;
export type Answer<T = Json> = { readonly status: number; readonly headers: Headers; readonly body: T };

export type Group = GroupPaymentWithSlots;
/** A payment that began: the pay response, with the client data of its gateway. */
export type Pay = {
  psp_code: PspCode;
  payment_intent_id: string;
  amount: number;
  currency: string;
  slot_ids: string[];
  is_test_mode: boolean;
} & AnyClientData;

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
  const response = await judgedFetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(headers as Record<string, string>),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(40_000),
  });
  return { status: response.status, headers: response.headers, body: parse(await readText(response)) };
}

/** `fetch`, for which an answer of the public API that openapi.json does not declare is an error. */
const judgedFetch: typeof fetch = async (address, init = {}) => {
  const response = await fetch(address, init);
  const path = new URL(address instanceof Request ? address.url : address).pathname;
  if (!path.startsWith('/v1/')) return response;
  const request = typeof init.body === 'string' ? { request: JSON.parse(init.body) as unknown } : {};
  // Of a stream only the head is judged here; whoever opened it reads it.
  const body = isStream(response) ? '' : parse(await response.clone().text());
  const headers = Object.fromEntries(response.headers);
  const exchange = { method: init.method ?? 'GET', path, ...request, status: response.status, headers, body };
  (await apiContract()).assertExchange(exchange);
  return response;
};

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

/** Longer than a clock needs for any way that a test sends it, ms. */
const CLOCK_PATIENCE_MS = 120_000;

/** The patience of the client for merchants, stretched to ours. */
const patience = {
  retries: RETRY_FOR_MS / 1_000,
  sleep: (ms: number) => delay(Math.min(ms, 1_000)),
};

/** Reads the test clock until it has settled. */
async function waitUntilSettled(
  client: { getTestClock(): Promise<TestClock> },
  asked: TestClock,
): Promise<TestClock> {
  let clock = asked;
  for (const giveUpAt = Date.now() + CLOCK_PATIENCE_MS; clock.state !== 'settled'; await delay(100)) {
    if (Date.now() > giveUpAt) throw new TimeoutError(`the clock is stuck: ${JSON.stringify(clock)}`);
    clock = await client.getTestClock();
  }
  return clock;
}

/**
 * The public API as a merchant's server calls it: through the client for merchants, with shorter names for what every
 * test does. `{ retries: 0 }` makes every failure one that is seen.
 */
export function merchantApi(baseUrl: string, key: string, o: { retries?: number } = {}) {
  const client = openClient({ key, baseUrl, fetch: judgedFetch, ...patience, ...o });
  const findGroup = (id: string) => client.getGroupPayment(id);
  return {
    client,
    findGroup,
    createGroup: (body: Json) => client.createGroupPayment(body as CreateGroupPaymentRequest),
    pay: async (id: string, body: Json) => (await client.payGroupPayment(id, body as PayRequest)) as Pay,
    confirm: (id: string, body: ConfirmRequest) => client.confirmPayment(id, body),
    createWebhook: (url: string) => client.createWebhook({ url }),
    /** Waits until the group is in one of these states. */
    async becomes(id: string, states: readonly string[], withinMs = 60_000): Promise<Group> {
      for (const giveUpAt = Date.now() + withinMs; ; await delay(100)) {
        const group = await findGroup(id);
        if (states.includes(group.group_payment.state)) return group;
        if (Date.now() > giveUpAt)
          throw new TimeoutError(`group ${id} is ${group.group_payment.state}, not ${states.join(' or ')}`);
      }
    },
    /** Waits until the slot at this index of the group is in this state. */
    async slotBecomes(id: string, index: number, state: string, withinMs = 60_000): Promise<void> {
      for (const giveUpAt = Date.now() + withinMs; ; await delay(100)) {
        const slot = (await findGroup(id)).payment_slots[index];
        if (slot?.state === state) return;
        if (Date.now() > giveUpAt) throw new TimeoutError(`slot ${index} is ${slot?.state}, not ${state}`);
      }
    },
    /** Advances the test clock and waits until all that fell due is done. */
    advanceClock: async (seconds: number) =>
      waitUntilSettled(client, await client.advanceTestClock({ seconds })),
    /** Resets the test clock and waits until it shows real time. */
    resetClock: async () => waitUntilSettled(client, await client.resetTestClock()),
  };
}
export type MerchantApi = ReturnType<typeof merchantApi>;
