import { paymentApi } from './api.ts';

type Sent = { url: string; method: string; token: string; key: string | null };

/** The API with scripted responses; requests are recorded. A null is a network failure. */
function scriptApi(answers: (Response | null)[], refresh = () => Promise.resolve('fresh')) {
  const sent: Sent[] = [];
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    sent.push({
      url: input instanceof Request ? input.url : String(input),
      method: init?.method ?? 'GET',
      token: headers.get('Authorization') ?? '',
      key: headers.get('Idempotency-Key'),
    });
    const answer = answers.shift();
    return answer ? Promise.resolve(answer) : Promise.reject(new TypeError('Failed to fetch'));
  };
  const tokens = { token: () => 'old', refreshToken: refresh };
  return { sent, api: paymentApi({ apiUrl: 'https://api.example', groupId: 'g', tokens }) };
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ code, message: code }, { status, headers });
const request = { customer_email: 'ana@payers.example', slot_ids: ['s1'] };

describe('a request to pay', () => {
  const realFetch = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = realFetch;
  });

  it('a request to pay is sent again with a fresh token and the same key when the token has ended', async () => {
    const { api, sent } = scriptApi([
      refusal(401, 'unauthorized'),
      Response.json({ payment_intent_id: 'i' }),
    ]);
    expect(await api.pay(request, 'key')).toMatchObject({ kind: 'ok', body: { payment_intent_id: 'i' } });
    expect(sent.map(({ token, key }) => [token, key])).toEqual([
      ['Bearer old', 'key'],
      ['Bearer fresh', 'key'],
    ]);
  });

  it('a request to pay is refused when there is no fresh token', async () => {
    const { api, sent } = scriptApi([refusal(401, 'unauthorized')], () => Promise.reject(new Error('gone')));
    expect(await api.pay(request, 'key')).toMatchObject({ kind: 'refused', code: 'unauthorized' });
    expect(sent).toHaveLength(1);
  });

  it('a request to pay does not ask for another token when its own may not pay', async () => {
    const { api, sent } = scriptApi([refusal(403, 'insufficient_scope')]);
    expect(await api.pay(request, 'key')).toMatchObject({ kind: 'refused', code: 'insufficient_scope' });
    expect(sent).toHaveLength(1);
  });

  it('a request to pay returns how long a limit asks the page to wait', async () => {
    const { api } = scriptApi([refusal(429, 'rate_limited', { 'Retry-After': '42' })]);
    expect(await api.pay(request, 'key')).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 42 });
  });

  it.each([
    ['a network that is away', null],
    ['a proxy that speaks no JSON', new Response('<h1>Bad Gateway</h1>', { status: 502 })],
  ])('a request to pay is without a response after %s', async (_what, answer) => {
    const { api } = scriptApi([answer]);
    expect(await api.pay(request, 'key')).toEqual({ kind: 'unanswered' });
  });
});
