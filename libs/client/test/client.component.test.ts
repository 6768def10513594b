import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openApi } from '@gp/reference';
import { staleFiles } from '@gp/testing';
import { each, GroupPaymentsError, NoAnswerError, openClient, type RefundResponse } from '../src/index.ts';
import { generated } from './generated.ts';

type Sent = { url: string; method: string | undefined; headers: Record<string, string>; body: unknown };

/** A client whose requests get these responses in turn; an Error is a connection that fails. */
function against(answers: (Response | Error)[]) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const client = openClient({
    key: 'sk_test_x',
    baseUrl: 'https://api.example/',
    sleep: async (ms) => void waits.push(ms),
    fetch: async (url, init = {}) => {
      const headers = init.headers as Record<string, string>;
      sent.push({ url: url as string, method: init.method, headers, body: init.body });
      const answer = answers.shift();
      if (answer instanceof Response) return answer;
      throw answer ?? new Error('unexpected request');
    },
  });
  return { client, sent, waits };
}

const ok = (body: unknown, status = 200) => Response.json(body, { status });
const DOCS = 'https://api.example/docs#error-x';
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json(
    {
      error: 'x',
      message: 'no',
      version: '1.0.0',
      code,
      request_id: 'req_1',
      param: 'limit',
      hint: 'less',
      doc_url: DOCS,
    },
    { status, headers: { 'request-id': 'req_1', ...headers } },
  );

const id = '0198c0de-0000-7000-8000-000000000001';
const payer = { customer_email: 'ana@example.com' };

it('the generated interface says what openapi.json says; otherwise run `npm run generate`', async () => {
  expect(await staleFiles(generated)).toEqual([]);
});

it('the client has a method for every published operation but the stream, and no other', async () => {
  const { paths } = (await openApi()) as { paths: Record<string, Record<string, { operationId: string }>> };
  const ids = Object.values(paths)
    .flatMap((methods) => Object.values(methods).map((o) => o.operationId))
    .filter((name) => name !== 'streamEvents');
  expect(Object.keys(against([]).client).sort()).toEqual(ids.sort());
});

describe('a request', () => {
  it('a client request carries the key, the ids of its path, its query and its body', async () => {
    const { client, sent } = against([ok({}), ok({}), ok({}), ok({}, 201)]);
    await client.getGroupPayment('a/b');
    await client.listGroupPayments({ limit: 5, state: 'open' });
    await client.listGroupPayments({ metadata: { table: '7', 'a&b': 'x' } });
    await client.payGroupPayment(id, payer, { idempotencyKey: 'mine' });
    expect(sent.map(({ method, url }) => `${method ?? ''} ${url}`)).toEqual([
      'GET https://api.example/v1/group-payments/a%2Fb',
      'GET https://api.example/v1/group-payments?limit=5&state=open',
      'GET https://api.example/v1/group-payments?metadata%5Btable%5D=7&metadata%5Ba%26b%5D=x',
      `POST https://api.example/v1/group-payments/${id}/pay`,
    ]);
    expect(sent[3]).toMatchObject({
      headers: { authorization: 'Bearer sk_test_x', 'idempotency-key': 'mine' },
      body: JSON.stringify(payer),
    });
  });

  it('a client request that got no response, 503, 429 or "in use" is sent again under the same key', async () => {
    const { client, sent, waits } = against([
      new Error('reset'),
      refusal(503, 'service_unavailable', { 'retry-after': '1' }),
      refusal(429, 'rate_limited', { 'retry-after': '7' }),
      refusal(409, 'idempotency_key_in_use'),
      ok({ done: true }, 201),
    ]);
    expect(await client.payGroupPayment(id, payer)).toEqual({ done: true });
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(waits[1]).toBeGreaterThanOrEqual(1_000);
    expect(waits[2]).toBe(7_000);
  });

  it('a client request that did not arrive in time is sent again', async () => {
    const { client, sent } = against([refusal(408, 'request_timeout'), ok({ done: true }, 201)]);
    expect(await client.payGroupPayment(id, payer)).toEqual({ done: true });
    expect(sent).toHaveLength(2);
  });

  it.each([
    [400, 'validation_error'],
    [401, 'unauthorized'],
    [409, 'no_payable_slots'],
    [422, 'idempotency_key_reused'],
    [502, 'unknown'],
  ])('a client request that is refused with %s %s is not sent again', async (status, code) => {
    const { client, sent } = against([refusal(status, code)]);
    const failure = await client.payGroupPayment(id, payer).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GroupPaymentsError);
    expect(failure).toMatchObject({ status, code, requestId: 'req_1', param: 'limit', message: 'no' });
    expect(failure).toMatchObject({ hint: 'less', docUrl: DOCS });
    expect(sent).toHaveLength(1);
  });

  it('a refund by which nothing was refunded names the reasons, and gives its answer with its type', async () => {
    const failed = (['gateway_c', 'gateway_b', 'gateway_c'] as const).map((psp_code) => ({
      payment_intent_id: id,
      psp_code,
      code: psp_code === 'gateway_c' ? 'refund_unavailable' : 'gateway_refused',
      error: psp_code === 'gateway_c' ? 'no refunds here' : 'declined',
    }));
    const body = {
      refunded_payment_intents: [],
      refunded_slot_ids: [],
      failed,
      group_state: 'refund_failed',
    } as const;
    const { client, sent } = against([ok(body, 502)]);
    const failure = await client.refundGroupPayment(id, {}).catch((error: unknown) => error);
    const refund: RefundResponse | undefined = (failure as GroupPaymentsError).refund;
    expect([refund, failure]).toEqual([body, expect.any(GroupPaymentsError)]);
    expect(failure).toMatchObject({
      status: 502,
      code: 'refund_failed',
      message: 'Nothing was refunded. gateway_c: no refunds here; gateway_b: declined',
      body,
    });
    expect(sent).toHaveLength(1);
  });

  it('an error with the shape of all others has no refund, a 502 of a proxy no code', async () => {
    const refused = against([refusal(409, 'nothing_to_refund')]).client.refundGroupPayment(id, {});
    await expect(refused).rejects.toMatchObject({ code: 'nothing_to_refund', refund: undefined });
    const broken = against([new Response('<html>', { status: 502 })]).client.refundGroupPayment(id, {});
    await expect(broken).rejects.toMatchObject({
      code: 'unknown',
      message: 'the API answered 502',
      refund: undefined,
      body: '<html>',
    });
  });

  it('a client request is given up after the last retry, and a pause of more than half a minute is left to the caller', async () => {
    const lost = against(Array.from({ length: 5 }, () => new Error('reset')));
    await expect(lost.client.listWebhooks()).rejects.toBeInstanceOf(NoAnswerError);
    expect(lost.sent).toHaveLength(5);
    const closed = against([refusal(429, 'rate_limited', { 'retry-after': '900' })]);
    await expect(closed.client.payGroupPayment(id, payer)).rejects.toMatchObject({ retryAfter: 900 });
    expect(closed.sent).toHaveLength(1);
  });

  it('a request that got no answer fails with the reason of the last try in its message and as its cause', async () => {
    const reason = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
    const refused = new TypeError('fetch failed', { cause: reason });
    const lost = against(Array.from({ length: 5 }, () => refused));
    await expect(lost.client.listWebhooks()).rejects.toMatchObject({
      message: 'GET /v1/webhooks got no answer: fetch failed (ECONNREFUSED)',
      cause: refused,
    });
  });

  it('a client without a key sends nothing', async () => {
    let sent = 0;
    const count = () => Promise.resolve(Response.json({ sent: (sent += 1) }));
    // Programs without types pass undefined for a variable that is not set.
    for (const key of [' ', undefined as unknown as string]) {
      const none = openClient({ key, baseUrl: 'https://api.example', fetch: count });
      await expect(none.listEvents()).rejects.toThrow('the key is empty');
    }
    expect(sent).toBe(0);
  });

  it('a creation without a key is never sent twice', async () => {
    const { client, sent } = against([new Error('reset')]);
    await expect(client.createWebhook({ url: 'https://a.example' })).rejects.toBeInstanceOf(NoAnswerError);
    expect(sent).toHaveLength(1);
  });
});

it('the client reads a list to its end, page by page', async () => {
  const page = (items: number[], next_cursor: string | null) =>
    ok({ group_payments: items, pagination: { next_cursor } });
  const { client, sent } = against([page([1, 2], 'two'), page([], 'three'), page([3], null)]);
  const seen: unknown[] = [];
  for await (const group of each(
    (q) => client.listGroupPayments(q),
    (found) => found.group_payments,
  ))
    seen.push(group);
  expect(seen).toEqual([1, 2, 3]);
  expect(sent.map(({ url }) => url.split('?')[1])).toEqual([undefined, 'cursor=two', 'cursor=three']);
});

describe('the example of the README', () => {
  const listed = (...amounts: readonly number[]) =>
    amounts.map((total_amount) => ({ total_amount, currency: 'EUR' }));
  const realFetch = globalThis.fetch;
  beforeAll(() => {
    process.env['GROUP_PAYMENTS_KEY'] = 'sk_test_x';
  });
  afterEach(() => {
    globalThis.fetch = realFetch;
  });

  it('the example of the README sums euros exactly, over all pages', async () => {
    const pages = [
      {
        group_payments: [...listed(0.29), { total_amount: 500, currency: 'JPY' }],
        pagination: { next_cursor: 'next' },
      },
      { group_payments: listed(0.57), pagination: { next_cursor: null } },
    ];
    globalThis.fetch = async () => Response.json(pages.shift());
    const { sumPaidCents } = await import('./example.ts');
    expect(await sumPaidCents()).toBe(86);
  });

  it('the example of the README sends the id of a payment try as its key, and nothing personal', async () => {
    const keys: (string | null)[] = [];
    globalThis.fetch = async (_url, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      return refusal(409, 'no_payable_slots');
    };
    const { pay } = await import('./example.ts');
    expect(await pay(id, payer.customer_email, 'try-1')).toBeUndefined();
    expect(keys).toEqual(['try-1']);
  });

  it('the example of the README sends an order that is repeated as the same body under the same key, and returns its slots', async () => {
    const seen: unknown[] = [];
    globalThis.fetch = async (_url, init) => {
      seen.push([new Headers(init?.headers).get('idempotency-key'), init?.body]);
      const slot = { id: 'slot', sequence_no: 1, amount: 90, state: 'available' };
      return ok({ group_payment: { id }, payment_slots: [slot], checkout_url: 'https://pay' }, 201);
    };
    const { openBill } = await import('./example.ts');
    const order = { id: '4711', expires_at: '2030-01-01T20:00:00.000Z' };
    const bills = [await openBill(order), await openBill(order)];
    const slots = [{ id: 'slot', sequence_no: 1, amount: 90 }];
    expect(bills[0]).toEqual({ id, slots, checkout_url: 'https://pay' });
    expect(seen[0]).toEqual(['bill-4711', expect.stringContaining('"client_reference":"4711"')]);
    expect(seen[1]).toEqual(seen[0]);
  });

  it('the example of the README returns the payments that a refund left, whether some or all were', async () => {
    const left = (status: number) =>
      ok({ refunded_payment_intents: [], failed: [{ error: String(status) }] }, status);
    const answers = [left(200), left(502), refusal(409, 'nothing_to_refund')];
    globalThis.fetch = async () => answers.shift() ?? Response.error();
    const { refund } = await import('./example.ts');
    expect(await refund(id, 'r1')).toEqual([{ error: '200' }]);
    expect(await refund(id, 'r2')).toEqual([{ error: '502' }]);
    await expect(refund(id, 'r3')).rejects.toMatchObject({ code: 'nothing_to_refund' });
  });
});
