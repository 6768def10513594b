import { once } from 'node:events';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { admittedRoute, createHttpApp, listen, readJson } from './index.ts';
import type { HttpAppOptions, HttpOutcome, Listening, RequestInfo, Route } from './index.ts';

let server: Listening | undefined;

afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

async function serve(routes: readonly Route[], o: Omit<HttpAppOptions, 'routes'> = {}) {
  const listening = await listen(createHttpApp({ routes, ...o }), { host: '127.0.0.1', port: 0 });
  server = listening;
  const fetchPath = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${listening.port}${path}`, init);
  // Read to the end at once: a response left unread keeps its socket.
  const call = async (path: string, init?: RequestInit): Promise<Response> => {
    const response = await fetchPath(path, init);
    const bytes = await response.arrayBuffer();
    return new Response(bytes.byteLength > 0 ? bytes : null, response);
  };
  return Object.assign(call, { streamed: fetchPath });
}

const json = { 'content-type': 'application/json' };
const post = (
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = json,
): RequestInit => ({
  method: 'POST',
  body,
  headers,
});
const readError = async (response: Response) => (await response.json()) as Record<string, unknown>;

const getThing: Route = {
  method: 'GET',
  path: '/v1/things/:id',
  handle: async ({ params, query }) => ({
    status: 200,
    body: { id: params['id'], fields: query.getAll('field') },
  }),
};
const echo: Route = {
  method: 'POST',
  path: '/v1/echo',
  handle: async (request) => ({
    status: 200,
    body: { read: readJson(request) ?? null, bytes: request.rawBody.length },
  }),
};

describe('a service behind https', () => {
  it('a service behind https tells browsers with every response, refusals included, to use https only (X3)', async () => {
    const secure = await serve([getThing], { publicUrl: 'https://pay.example' });
    for (const path of ['/v1/things/1', '/nowhere'])
      expect((await secure(path)).headers.get('strict-transport-security')).toBe(
        'max-age=63072000; includeSubDomains',
      );
  });

  it('a service on plain http sends no HSTS header', async () => {
    const plain = await serve([getThing], { publicUrl: 'http://127.0.0.1:8080' });
    expect((await plain('/v1/things/1')).headers.get('strict-transport-security')).toBeNull();
  });
});

describe('routing', () => {
  it('routing gives the handler decoded parameters and the query', async () => {
    const call = await serve([getThing]);
    const response = await call('/v1/things/a%2Fb%20c?field=x&field=y');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({ id: 'a/b c', fields: ['x', 'y'] });
  });

  it('a parameter and a query named __proto__ are data like any other', async () => {
    const reflect: Route = {
      method: 'GET',
      path: '/p/:__proto__',
      handle: async ({ params, query }) => ({
        status: 200,
        body: [Object.entries(params), query.get('__proto__'), Object.getPrototypeOf(params)],
      }),
    };
    const call = await serve([reflect]);
    expect(await (await call('/p/x?__proto__=y')).json()).toEqual([[['__proto__', 'x']], 'y', null]);
  });

  it('an unknown path is a 404 in the documented shape', async () => {
    const call = await serve([getThing]);
    for (const path of ['/', '/v1/thing/1', '/v1/things/1/', '/V1/things/1', '//v1/things/1']) {
      const response = await call(path);
      expect(response.status).toBe(404);
      expect(await readError(response)).toEqual({
        error: 'Not Found',
        message: 'no such endpoint',
        version: '1.0.0',
        code: 'route_not_found',
        request_id: response.headers.get('request-id'),
      });
    }
  });

  it('an unknown method is a 405 with the methods of every route that matches', async () => {
    const put: Route = { method: 'PUT', path: '/v1/things/:name', handle: async () => ({ status: 204 }) };
    const call = await serve([getThing, put]);
    expect((await call('/v1/things/1', { method: 'PUT' })).status).toBe(204);
    const response = await call('/v1/things/1', { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, PUT');
    expect(await readError(response)).toMatchObject({
      error: 'Method Not Allowed',
      code: 'method_not_allowed',
    });
  });

  it('a HEAD is served by the GET route, without the body but with its length', async () => {
    const call = await serve([getThing]);
    const [head, get] = [await call('/v1/things/1', { method: 'HEAD' }), await call('/v1/things/1')];
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(await head.text()).toBe('');
  });

  it('two routes for the same method and path are refused when the application is built', () => {
    expect(() => createHttpApp({ routes: [getThing, getThing] })).toThrow(
      'two routes for GET /v1/things/:id',
    );
  });
});

describe('the body', () => {
  it('the body arrives as the exact bytes, and as JSON on demand', async () => {
    const call = await serve([echo]);
    const text = '{ "a":\t"\u00e4" }';
    const utf8 = { 'content-type': 'Application/JSON; charset="UTF-8"' };
    expect(await (await call('/v1/echo', post(text, utf8))).json()).toEqual({
      read: { a: '\u00e4' },
      bytes: Buffer.byteLength(text),
    });
  });

  it('the body may be absent, whatever the content type', async () => {
    const call = await serve([echo]);
    expect(await (await call('/v1/echo', { method: 'POST' })).json()).toEqual({ read: null, bytes: 0 });
    expect((await call('/v1/echo', post('', { 'content-type': 'text/plain' }))).status).toBe(200);
  });

  it('the body is read by the caller’s parser', () => {
    const parsed = readJson({ rawBody: Buffer.from('[1.10]') }, (text) => text.toUpperCase());
    expect(parsed).toBe('[1.10]');
  });

  it('a body with a repeated name in an object is a 400 invalid_json (X3)', async () => {
    const call = await serve([echo]);
    const response = await call('/v1/echo', post('{"a":{"amount":1,"\\u0061mount":2}}'));
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({
      code: 'invalid_json',
      message: 'the body has an object with the same name twice',
    });
  });

  it.each([
    ['cut short', '{"a":', 'it stops being JSON in line 1, column 6'],
    ['no JSON', 'total_amount=1', 'it stops being JSON in line 1, column 1'],
    ['broken in its third line', '{\n  "a": 1,\n  "b": secret\n}', 'it stops being JSON in line 3, column 8'],
    ['not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), 'its bytes are not UTF-8'],
  ])('a body that is %s is a 400 invalid_json that tells where', async (_title, body, hint) => {
    const call = await serve([echo]);
    const response = await call('/v1/echo', post(body));
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({
      code: 'invalid_json',
      message: 'the body is not valid JSON',
      hint,
    });
  });

  it.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  ])('a body of type %p is a 415', async (headers) => {
    const call = await serve([echo]);
    const response = await call('/v1/echo', post('{}', headers));
    expect(response.status).toBe(415);
    expect(await readError(response)).toMatchObject({ code: 'unsupported_media_type' });
  });

  it('a body of another type is accepted where the route declares it', async () => {
    const form: Route = {
      method: 'POST',
      path: '/callback',
      jsonOnly: false,
      handle: async ({ rawBody }) => ({ status: 200, body: rawBody.toString() }),
    };
    const call = await serve([form]);
    expect(await (await call('/callback', post('a=1&b=2', { 'content-type': 'text/plain' }))).text()).toBe(
      'a=1&b=2',
    );
  });

  it('a body one byte over the limit is a 413, declared or not, and the connection stays open', async () => {
    const call = await serve([echo], { bodyLimitBytes: 1000 });
    const full = JSON.stringify('x'.repeat(998));
    expect((await call('/v1/echo', post(full))).status).toBe(200);
    const undeclared = new Blob([full, ' ']).stream();
    for (const init of [post(`${full} `), { ...post(undeclared), duplex: 'half' as const }]) {
      const response = await call('/v1/echo', init);
      expect(response.status).toBe(413);
      expect(await readError(response)).toMatchObject({
        error: 'Payload Too Large',
        code: 'payload_too_large',
      });
    }
    expect((await call('/v1/echo', post(full))).status).toBe(200);
  });

  it('a body has at most 256 kB unless the route sets another limit', async () => {
    const call = await serve([echo]);
    const sized = (bytes: number) => post(JSON.stringify('x'.repeat(bytes - 2)));
    expect((await call('/v1/echo', sized(256 * 1024))).status).toBe(200);
    expect((await call('/v1/echo', sized(256 * 1024 + 1))).status).toBe(413);
  });
});

describe('admission', () => {
  const guarded = admittedRoute({
    method: 'POST',
    path: '/v1/guarded',
    admit: async ({ headers }) => {
      if (headers.authorization !== 'Bearer k') throw new AppError('unauthorized');
      return { merchant: 'm1' };
    },
    handle: async (_request, { merchant }) => ({ status: 200, body: { merchant } }),
  });

  it('admission passes its result to the handler', async () => {
    const call = await serve([guarded]);
    const response = await call('/v1/guarded', post('{}', { ...json, authorization: 'Bearer k' }));
    expect(await response.json()).toEqual({ merchant: 'm1' });
  });

  it('admission sets headers of every response: of the handler, of a refused body, of its own refusal', async () => {
    const counted: Route = {
      method: 'POST',
      path: '/v1/counted',
      admit: async (head) => {
        head.setHeader('RateLimit-Remaining', '7');
        if (head.query.has('full')) throw new AppError('rate_limited');
      },
      handle: async () => ({ status: 200, body: 'done' }),
    };
    const call = await serve([counted], { bodyLimitBytes: 10 });
    const answers = [
      await call('/v1/counted', post('{}')),
      await call('/v1/counted', post(JSON.stringify('x'.repeat(100)))),
      await call('/v1/counted', post('x', { 'content-type': 'text/plain' })),
      await call('/v1/counted?full=1', post('{}')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 413, 415, 429]);
    expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['7', '7', '7', '7']);
  });

  it('a stranger gets a 401 before the body is checked, however wrong it is', async () => {
    const call = await serve([guarded], { bodyLimitBytes: 10 });
    for (const init of [post('x', { 'content-type': 'text/plain' }), post(JSON.stringify('x'.repeat(100)))]) {
      const response = await call('/v1/guarded', init);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});

describe('responses', () => {
  const answering = (answer: HttpOutcome): Route => ({
    method: 'GET',
    path: '/',
    handle: async () => answer,
  });

  it.each([
    ['a value as JSON', { a: [1] }, undefined, 'application/json; charset=utf-8', '{"a":[1]}'],
    ['a text as text', 'hi \u00e4', undefined, 'text/plain; charset=utf-8', 'hi \u00e4'],
    ['a typed text as it is', '<p>', 'text/html', 'text/html', '<p>'],
    ['bytes as octets', Buffer.from('raw'), undefined, 'application/octet-stream', 'raw'],
    ['null as JSON', null, undefined, 'application/json; charset=utf-8', 'null'],
  ])('a response may be %s', async (_title, body, contentType, expectedType, expectedText) => {
    const call = await serve([answering({ status: 200, body, ...(contentType ? { contentType } : {}) })]);
    const response = await call('/');
    expect(response.headers.get('content-type')).toBe(expectedType);
    expect(await response.text()).toBe(expectedText);
  });

  it('a response carries Request-Id and forbids storage unless the route allows it', async () => {
    const call = await serve([answering({ status: 200, headers: { 'Cache-Control': 'max-age=60' } })]);
    const [own, missing] = [await call('/'), await call('/nope')];
    expect(own.headers.get('request-id')).toMatch(/^req_[0-9a-f]{24}$/);
    expect(own.headers.get('cache-control')).toBe('max-age=60');
    expect(missing.headers.get('cache-control')).toBe('no-store');
    expect(missing.headers.get('request-id')).not.toBe(own.headers.get('request-id'));
    expect(own.headers.has('x-powered-by')).toBe(false);
  });

  it('a response may set several cookies', async () => {
    const call = await serve([answering({ status: 204, headers: { 'Set-Cookie': ['a=1', 'b=2'] } })]);
    expect((await call('/')).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it('a response streams while it is produced, and notifies the producer when the client has gone', async () => {
    const ended = Promise.withResolvers<void>();
    async function* ticks(signal: AbortSignal) {
      try {
        yield 'first\n';
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      } finally {
        ended.resolve();
      }
    }
    const route: Route = {
      method: 'GET',
      path: '/events',
      handle: async ({ signal }) => ({ status: 200, contentType: 'text/event-stream', body: ticks(signal) }),
    };
    const call = await serve([route]);
    const client = new AbortController();
    const response = await call.streamed('/events', { signal: client.signal });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first\n');
    client.abort();
    await ended.promise;
  });

  it('a response that breaks while streaming is cut, not passed off as complete', async () => {
    async function* broken() {
      yield 'half';
      throw new Error('source lost');
    }
    const call = await serve([
      { method: 'GET', path: '/', handle: async () => ({ status: 200, body: broken() }) },
    ]);
    await expect(call('/')).rejects.toThrow();
    expect((await call('/nope')).status).toBe(404);
  });
});

describe('failures', () => {
  const failing = (thrown: unknown): Route => ({
    method: 'GET',
    path: '/',
    handle: () => Promise.reject(thrown),
  });

  it('known errors keep their status, headers and data', async () => {
    const call = await serve([failing(new AppError('rate_limited', { retryAfterSeconds: 3 }))]);
    const response = await call('/');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('3');
    expect(await readError(response)).toMatchObject({ code: 'rate_limited' });
  });

  it.each([
    ['an error', () => Promise.reject(new Error('password=hunter2'))],
    ['a value that is no error', () => Promise.reject('hunter2')],
    [
      'an error thrown before the promise',
      () => {
        throw new TypeError('hunter2');
      },
    ],
    ['a body that cannot be serialised', async () => ({ status: 200, body: { hunter2: 1n } })],
    ['a header with a line break', async () => ({ status: 200, headers: { 'X-A': 'a\r\nhunter2: 1' } })],
    ['a header name that is none', async () => ({ status: 200, headers: { 'X hunter2': 'a' } })],
  ] as [string, Route['handle']][])(
    'the failure %s is a 500 that discloses nothing of its cause',
    async (_title, handle) => {
      const observed: number[] = [];
      const call = await serve([{ method: 'GET', path: '/', handle }], {
        around: async (_info, run) => {
          const outcome = await run();
          observed.push(outcome.status);
          return outcome;
        },
      });
      const response = await call('/');
      expect([response.status, ...observed]).toEqual([500, 500]);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({
        error: 'Internal Server Error',
        code: 'internal_error',
        version: '1.0.0',
      });
      expect(text + JSON.stringify([...response.headers])).not.toMatch(/hunter2|at .*\.ts|node_modules/);
    },
  );
});

describe('the observer', () => {
  it('the observer sees every request once, with its route and its final status, and the cause of a failure', async () => {
    const seen: { info: RequestInfo; outcome: HttpOutcome }[] = [];
    const cause = new Error('deep');
    const failing: Route = { method: 'GET', path: '/fail/:id', handle: () => Promise.reject(cause) };
    const call = await serve([getThing, failing], {
      around: async (info, run) => {
        const outcome = await run();
        seen.push({ info, outcome });
        return outcome;
      },
    });
    for (const path of ['/v1/things/1', '/fail/1', '/nope', '/v1/things/%zz']) await call(path);
    await call('/v1/things/1', { method: 'POST' });
    expect(seen.map(({ info, outcome }) => [info.method, info.route, outcome.status])).toEqual([
      ['GET', '/v1/things/:id', 200],
      ['GET', '/fail/:id', 500],
      ['GET', undefined, 404],
      ['GET', undefined, 400],
      ['POST', undefined, 405],
    ]);
    expect(seen[1]?.outcome.cause).toBe(cause);
    expect(seen[0]?.info.requestId).toMatch(/^req_/);
  });

  it('the observer reads what the route noted, the query and the body, also when the request is refused', async () => {
    const seen: unknown[] = [];
    const noting: Route = {
      method: 'POST',
      path: '/v1/noting',
      admit: async ({ note }) => {
        note({ merchant: 'm1' });
        note({ mode: 'test' });
      },
      handle: () => Promise.reject(new AppError('not_found')),
    };
    const call = await serve([noting], {
      bodyLimitBytes: 10,
      around: async (info, run) => {
        const outcome = await run();
        seen.push([outcome.status, info.notes, info.query, info.receivedBody()?.toString()]);
        return outcome;
      },
    });
    await call('/v1/noting?a=%20', post('{"a":1}'));
    await call('/v1/noting', post('{"longer":true}'));
    const notes = { merchant: 'm1', mode: 'test' };
    expect(seen).toEqual([
      [404, notes, 'a=%20', '{"a":1}'],
      [413, notes, '', undefined],
    ]);
  });

  it('the observer may add headers to the response', async () => {
    const call = await serve([getThing], {
      around: async (_info, run) => {
        const outcome = await run();
        return { ...outcome, headers: { ...outcome.headers, 'X-Trace': 't1' } };
      },
    });
    expect((await call('/v1/things/1')).headers.get('x-trace')).toBe('t1');
  });

  it.each([
    ['answers with a header that is none', async () => ({ status: 200, headers: { 'X hunter2': 'a' } })],
    ['rejects', () => Promise.reject(new Error('hunter2'))],
    [
      'throws',
      () => {
        throw new Error('hunter2');
      },
    ],
  ] as [string, () => Promise<HttpOutcome>][])(
    'an observer that %s costs a 500 and nothing more',
    async (_title, around) => {
      const call = await serve([getThing], { around });
      const response = await call('/v1/things/1');
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('hunter2');
    },
  );
});

describe('the client address', () => {
  const whoami: Route = {
    method: 'GET',
    path: '/',
    handle: async ({ remoteAddress }) => ({ status: 200, body: remoteAddress }),
  };
  const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } };

  it('the client address is that of the socket, because any client can write X-Forwarded-For', async () => {
    const call = await serve([whoami]);
    expect(await (await call('/', forwarded)).text()).toBe('127.0.0.1');
  });

  it('the client address is the one a trusted proxy names', async () => {
    const call = await serve([whoami], { trustProxy: 'loopback' });
    expect(await (await call('/', forwarded)).text()).toBe('203.0.113.9');
  });

  /** Sends a request from one of this machine's own addresses: 127.0.0.0/8 is all ours. */
  async function askedFrom(localAddress: string, forwardedFor: string): Promise<string> {
    const { port } = server!;
    const headers = { 'x-forwarded-for': forwardedFor };
    const sent = plainRequest({ host: '127.0.0.1', port, localAddress, headers, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return text(response);
  }

  it('the client address is not taken from a client that is only near the proxy', async () => {
    await serve([whoami], { trustProxy: '127.0.0.2' });
    expect(await askedFrom('127.0.0.2', '203.0.113.9')).toBe('203.0.113.9');
    expect(await askedFrom('127.0.0.3', '203.0.113.9')).toBe('127.0.0.3');
    expect(await askedFrom('127.0.0.3', '127.0.0.2, 203.0.113.9')).toBe('127.0.0.3');
  });

  it('the client address is counted from the right: what the client wrote before its proxies is ignored', async () => {
    await serve([whoami], { trustProxy: '127.0.0.2, 10.1.0.0/16' });
    const client = '203.0.113.9';
    const wishes = [client, `8.8.8.8, ${client}`, `10.1.2.3, ${client}`, `8.8.8.8, ${client}, 10.1.2.3`];
    for (const wish of wishes) expect([wish, await askedFrom('127.0.0.2', wish)]).toEqual([wish, client]);
    expect(await askedFrom('127.0.0.2', `${client}, 10.2.0.1`)).toBe('10.2.0.1');
  });
});
