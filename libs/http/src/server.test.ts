import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '@gp/errors';
import { createHttpApp, listen, type Listening, type ListenOptions, type Route } from './index.ts';

let server: Listening | undefined;
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await server?.close(0);
  server = undefined;
});

async function serve(routes: readonly Route[], o: Partial<ListenOptions> = {}): Promise<Listening> {
  server = await listen(createHttpApp({ routes }), { host: '127.0.0.1', port: 0, ...o });
  return server;
}

async function open({ port }: Listening): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

// Unlike events.once, it treats a reset as an ordinary end.
const closing = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()));

/** Sends bytes and resolves with everything the server sends until it, or the sender, closes. */
async function exchange(
  listening: Listening,
  bytes: string | Buffer,
  o: { half?: boolean } = {},
): Promise<string> {
  const socket = await open(listening);
  const closed = closing(socket);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (o.half) socket.end(bytes);
  else socket.write(bytes);
  await closed;
  return Buffer.concat(chunks).toString('latin1');
}

const parseStatus = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
const parseBody = (answer: string) =>
  JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as Record<string, unknown>;
const request = (line: string, headers = ''): string =>
  `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;

const hello: Route = {
  method: 'GET',
  path: '/hello/:name',
  handle: async () => ({ status: 200, body: 'hi' }),
};
const take: Route = { method: 'POST', path: '/take', handle: async () => ({ status: 200, body: 'taken' }) };

/** A route whose handler waits until the test releases it. */
function waiting() {
  const entered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const route: Route = {
    method: 'GET',
    path: '/wait',
    handle: async () => {
      entered.resolve();
      await released.promise;
      return { status: 200, body: 'done' };
    },
  };
  return { route, entered: entered.promise, release: released.resolve };
}

describe('hostile input', () => {
  it('an address with an encoded NUL is told apart from one that does not decode', async () => {
    const listening = await serve([hello, take]);
    expect(await exchange(listening, request('GET /hello/%00'))).toContain('the address has %00');
    expect(await exchange(listening, request('GET /hello/%zz'))).toContain('not properly percent-encoded');
  });

  it.each([
    ['no HTTP at all', 'hello there\r\n\r\n', 400, 'malformed_request'],
    ['a TLS hello', Buffer.from('16030100a5010000a1', 'hex'), 400, 'malformed_request'],
    ['an unknown method', request('BREW /hello/x'), 400, 'malformed_request'],
    ['NUL in the address', request('GET /hello/\0'), 400, 'malformed_request'],
    ['an encoded NUL', request('GET /hello/%00'), 400, 'malformed_request'],
    ['an encoded NUL in the query', request('GET /hello/x?a=%00'), 400, 'malformed_request'],
    ['bad percent-encoding', request('GET /hello/%zz'), 400, 'malformed_request'],
    ['bad percent-encoding in the query', request('GET /hello/x?a=%'), 400, 'malformed_request'],
    ['overlong UTF-8', request('GET /hello/%c0%af'), 400, 'malformed_request'],
    ['half a surrogate pair', request('GET /hello/%ed%a0%80'), 400, 'malformed_request'],
    ['a header without a name', request('GET /hello/x', ': v\r\n'), 400, 'malformed_request'],
    ['NUL in a header', request('GET /hello/x', 'A: \0\r\n'), 400, 'malformed_request'],
    ['a missing Host', 'GET /hello/x HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    ['two Hosts (X3)', request('GET /hello/x', 'Host: y\r\n'), 400, 'malformed_request'],
    ['the same Host twice (X3)', request('GET /hello/x', 'HOST: x\r\n'), 400, 'malformed_request'],
    [
      'a length that is no number',
      request('POST /take', 'Content-Length: ten\r\n'),
      400,
      'malformed_request',
    ],
    [
      'two lengths',
      request('POST /take', 'Content-Length: 1\r\nContent-Length: 2\r\n'),
      400,
      'malformed_request',
    ],
    [
      'a length and chunks (smuggling)',
      `${request('POST /take', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n')}0\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['an address of 9 kB', request(`GET /hello/${'x'.repeat(9000)}`), 414, 'uri_too_long'],
    ['an address of 20 kB', request(`GET /hello/${'x'.repeat(20_000)}`), 431, 'headers_too_large'],
    ['headers of 20 kB', request('GET /hello/x', `A: ${'x'.repeat(20_000)}\r\n`), 431, 'headers_too_large'],
    ['the server itself as address', request('OPTIONS *'), 404, 'route_not_found'],
  ] as [string, string | Buffer, number, string][])(
    'hostile input %s is answered %i',
    async (_title, bytes, status, code) => {
      const listening = await serve([hello, take]);
      const answer = await exchange(listening, bytes);
      expect(parseStatus(answer)).toBe(status);
      expect(answer).toMatch(/\r\nRequest-Id: req_[0-9a-f]{24}\r\n/);
      expect(parseBody(answer)).toMatchObject({
        code,
        version: '1.0.0',
        request_id: expect.stringMatching(/^req_/),
      });
      expect(parseStatus(await exchange(listening, request('GET /hello/x')))).toBe(200);
    },
  );

  it.each([
    ['an absolute address', request('GET http://x/hello/x?a=1'), 200],
    ['an address without a path', request('GET http://x'), 404],
    ['dots that climb', request('GET /hello/../../etc/passwd'), 404],
    ['encoded dots', request('GET /hello/..%2f..%2fetc'), 200],
    ['an upgrade', request('GET /hello/x', 'Upgrade: websocket\r\n').replace('close', 'Upgrade'), 200],
    ['an unknown expectation', request('GET /hello/x', 'Expect: the-inquisition\r\n'), 200],
    ['a thousand query fields', request(`GET /hello/x?${'a[__proto__][b]=c&'.repeat(300)}`), 200],
    ['HTTP/1.0 without Host', 'GET /hello/x HTTP/1.0\r\n\r\n', 200],
  ])('hostile input %s gets a plain response', async (_title, bytes, status) => {
    const listening = await serve([hello]);
    expect(parseStatus(await exchange(listening, bytes, { half: true }))).toBe(status);
  });

  it('no address yields a 5xx or silence', async () => {
    const listening = await serve([hello, take]);
    const piece = fc.oneof(
      fc.constantFrom(
        '/',
        '//',
        '/hello/',
        '?',
        '#',
        '%',
        '%2',
        '%00',
        '%ff',
        '..',
        ';',
        ':',
        '@',
        '*',
        '[',
        '\\',
        '__proto__',
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 5 }).map((text) => text.replace(/[\r\n ]/g, '')),
    );
    const address = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS'), address, async (method, target) => {
        const status = parseStatus(await exchange(listening, request(`${method} ${target}`)));
        expect([200, 400, 404, 405]).toContain(status);
      }),
      { numRuns: 200 },
    );
  });

  it('no header yields a 5xx or silence', async () => {
    const listening = await serve([hello, take]);
    const name = fc.constantFrom(
      'Content-Type',
      'Content-Length',
      'Transfer-Encoding',
      'Expect',
      'X-Forwarded-For',
      'Range',
      'Upgrade',
    );
    const value = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 20 }),
      fc.constantFrom(
        'chunked',
        '0',
        '-1',
        '1e9',
        'application/json',
        '__proto__',
        ',,,',
        '"',
        '100-continue',
      ),
    );
    await fc.assert(
      fc.asyncProperty(name, value, async (field, content) => {
        const answer = await exchange(listening, request('POST /take', `${field}: ${content}\r\n`), {
          half: true,
        });
        // A body that was announced and never came ends the connection without a response.
        if (answer !== '')
          expect([200, 400, 413, 415, 431]).toContain(
            parseStatus(answer.replace(/^HTTP\/1.1 100 .*\r\n\r\n/, '')),
          );
      }),
      { numRuns: 200 },
    );
    expect(parseStatus(await exchange(listening, request('GET /hello/x')))).toBe(200);
  });

  it('a body that breaks gets one response', async () => {
    const listening = await serve([take]);
    const answer = await exchange(
      listening,
      `${request('POST /take', 'Transfer-Encoding: chunked\r\n')}zz\r\n`,
    );
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(parseStatus(answer)).toBe(400);
  });

  it('a body that breaks after its response gets no second one', async () => {
    const admit = async () => {
      throw new AppError('unauthorized');
    };
    const listening = await serve([{ ...take, admit }]);
    const socket = await open(listening);
    const closed = closing(socket);
    let received = '';
    const first = once(socket, 'data');
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.write('POST /take HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    await first;
    socket.write('zz\r\n');
    await closed;
    expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(parseStatus(received)).toBe(401);
  });

  it('a flood after a 413 is cut off', async () => {
    const listening = await serve([take]);
    const socket = await open(listening);
    const closed = closing(socket);
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.write('POST /take HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
    const block = Buffer.alloc(64 * 1024, 'x');
    const flood = (): void => {
      while (!socket.destroyed && socket.write(block));
      socket.once('drain', flood);
    };
    flood();
    await closed;
    expect(parseStatus(received)).toBe(413);
    expect(socket.bytesWritten).toBeLessThan(100_000_000);
  });
});

describe('slow clients', () => {
  it.each([
    ['headers that never end', 'GET /hello/x HTTP/1.1\r\nHost: x\r\n'],
    ['a body that never comes', 'POST /take HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab'],
  ])('slow clients with %s get a 408 when the time is up', async (_title, bytes) => {
    const listening = await serve([hello, take], { headersTimeoutMs: 200, requestTimeoutMs: 400 });
    const answer = await exchange(listening, bytes);
    expect(parseStatus(answer)).toBe(408);
    expect(parseBody(answer)).toMatchObject({ code: 'request_timeout' });
  });
});

describe('a client that goes away', () => {
  it('a client that goes away aborts the signal of its request', async () => {
    const entered = Promise.withResolvers<AbortSignal>();
    const aborted = Promise.withResolvers<void>();
    const route: Route = {
      method: 'GET',
      path: '/wait',
      handle: async ({ signal }) => {
        signal.addEventListener('abort', () => aborted.resolve(), { once: true });
        entered.resolve(signal);
        await aborted.promise;
        return { status: 200 };
      },
    };
    const socket = await open(await serve([route]));
    socket.write(request('GET /wait'));
    expect((await entered.promise).aborted).toBe(false);
    socket.destroy();
    await aborted.promise;
  });

  it('a client that goes away in the middle of its body ends its own request only', async () => {
    const outcomes: number[] = [];
    const seen = Promise.withResolvers<void>();
    const app = createHttpApp({
      routes: [take, hello],
      around: async (info, run) => {
        const outcome = await run();
        outcomes.push(outcome.status);
        if (info.method === 'POST') seen.resolve();
        return outcome;
      },
    });
    server = await listen(app, { host: '127.0.0.1', port: 0 });
    const socket = await open(server);
    socket.write('POST /take HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab', () => socket.destroy());
    await seen.promise;
    expect(outcomes).toEqual([400]);
    expect(parseStatus(await exchange(server, request('GET /hello/x')))).toBe(200);
  });

  it('a client that goes away during admission does not leave the request waiting for a body', async () => {
    const admitting = Promise.withResolvers<AbortSignal>();
    const seen = Promise.withResolvers<number>();
    const route: Route = {
      method: 'POST',
      path: '/take',
      admit: async ({ signal }) => {
        admitting.resolve(signal);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      },
      handle: async () => ({ status: 200 }),
    };
    const app = createHttpApp({
      routes: [route],
      around: async (_info, run) => {
        const outcome = await run();
        seen.resolve(outcome.status);
        return outcome;
      },
    });
    server = await listen(app, { host: '127.0.0.1', port: 0 });
    const socket = await open(server);
    socket.write('POST /take HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab');
    await admitting.promise;
    socket.destroy();
    expect(await seen.promise).toBe(400);
  });
});

describe('a stream', () => {
  it('a stream is cut off when its reader accepts nothing, so that it holds no resources', async () => {
    const gone = Promise.withResolvers<void>();
    async function* endless() {
      for (;;) yield Buffer.alloc(256 * 1024);
    }
    const route: Route = {
      method: 'GET',
      path: '/endless',
      async handle({ signal }) {
        signal.addEventListener('abort', () => gone.resolve());
        return { status: 200, body: endless() };
      },
    };
    server = await listen(createHttpApp({ routes: [route], stalledMs: 50 }), { host: '127.0.0.1', port: 0 });
    const socket = await open(server);
    socket.pause();
    socket.write(request('GET /endless'));
    await gone.promise;
  });

  it('a stream may be silent without limit', async () => {
    const told = Promise.withResolvers<string>();
    async function* quiet() {
      yield 'first';
      yield await told.promise;
    }
    const route: Route = {
      method: 'GET',
      path: '/quiet',
      handle: async () => ({ status: 200, body: quiet() }),
    };
    server = await listen(createHttpApp({ routes: [route], stalledMs: 1 }), { host: '127.0.0.1', port: 0 });
    const answer = exchange(server, request('GET /quiet'));
    setTimeout(() => told.resolve('last'), 50);
    expect(await answer).toMatch(/first[^]*last/);
  });
});

describe('closing', () => {
  it('a closing server lets a request in flight finish, and accepts no new connection', async () => {
    const { route, entered, release } = waiting();
    const listening = await serve([route]);
    const answer = exchange(listening, 'GET /wait HTTP/1.1\r\nHost: x\r\n\r\n');
    await entered;
    const closed = listening.close(60_000);
    await expect(open(listening)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    release();
    expect(parseStatus(await answer)).toBe(200);
    await closed;
  });

  it('a closing server drops connections that are idle, used before or not', async () => {
    const listening = await serve([hello]);
    const [used, fresh] = [await open(listening), await open(listening)];
    used.write('GET /hello/x HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(used, 'data');
    const gone = Promise.all([closing(used), closing(fresh)]);
    fresh.resume();
    used.resume();
    await listening.close(60_000);
    await gone;
  });

  it('a client that uses its connection loses no request: the next response says that it is the last', async () => {
    const listening = await serve([hello]);
    const socket = await open(listening);
    const ask = async (): Promise<string> => {
      socket.write('GET /hello/x HTTP/1.1\r\nHost: x\r\n\r\n');
      return String(((await once(socket, 'data')) as [Buffer])[0]);
    };
    expect(await ask()).toContain('Connection: keep-alive');
    const gone = closing(socket);
    const closed = listening.close(60_000);
    expect(await ask()).toMatch(/^HTTP\/1.1 200 [^]*Connection: close/);
    await Promise.all([gone, closed]);
  });

  it('a request that arrived while the process was stopped is answered, however long its connection had been idle', async () => {
    const listening = await serve([hello]);
    const socket = await open(listening);
    const gone = closing(socket);
    const closed = listening.close(60_000);
    await new Promise(setImmediate);
    socket.write('GET /hello/x HTTP/1.1\r\nHost: x\r\n\r\n');
    for (const until = performance.now() + 1_200; performance.now() < until;);
    expect(String(((await once(socket, 'data')) as [Buffer])[0])).toMatch(/^HTTP\/1.1 200 /);
    await Promise.all([gone, closed]);
  });

  it('a response in flight says that its connection ends', async () => {
    const { route, entered, release } = waiting();
    const listening = await serve([route]);
    const answer = exchange(listening, 'GET /wait HTTP/1.1\r\nHost: x\r\n\r\n');
    await entered;
    const closed = listening.close(60_000);
    release();
    expect(await answer).toContain('Connection: close');
    await closed;
  });

  it('a closing server cuts what is still running when the grace is over', async () => {
    const { route, entered } = waiting();
    const listening = await serve([route]);
    const answer = exchange(listening, request('GET /wait'));
    await entered;
    await listening.close(50);
    expect(await answer).toBe('');
  });

  it('a closing server ends streams properly instead of waiting for them', async () => {
    async function* forever() {
      yield 'tick\n';
      await new Promise(() => undefined);
    }
    const route: Route = {
      method: 'GET',
      path: '/events',
      handle: async () => ({ status: 200, contentType: 'text/event-stream', body: forever() }),
    };
    const listening = await serve([route]);
    const socket = await open(listening);
    let received = '';
    const first = once(socket, 'data');
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.write(request('GET /events'));
    await first;
    await listening.close(60_000);
    if (!socket.closed) await closing(socket);
    expect(received.endsWith('0\r\n\r\n')).toBe(true);
  });

  it('a stream that begins while the server closes ends at once', async () => {
    async function* forever() {
      yield 'tick\n';
      await new Promise(() => undefined);
    }
    const admitted = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const route: Route = {
      method: 'GET',
      path: '/events',
      async handle() {
        entered.resolve();
        await admitted.promise;
        return { status: 200, contentType: 'text/event-stream', body: forever() };
      },
    };
    const listening = await serve([route]);
    const answer = exchange(listening, request('GET /events'));
    await entered.promise;
    const closed = listening.close(60_000);
    admitted.resolve();
    expect(await answer).toMatch(/^HTTP\/1.1 200 [^]*\r\n0\r\n\r\n$/);
    await closed;
  });

  describe('with a file on its way', () => {
    const begin = async () => {
      const begun = Promise.withResolvers<void>();
      const rest = Promise.withResolvers<string>();
      async function* file() {
        yield 'first\n';
        begun.resolve();
        yield await rest.promise;
      }
      const route: Route = {
        method: 'GET',
        path: '/file',
        handle: async () => ({ status: 200, contentType: 'text/csv', body: file() }),
      };
      const listening = await serve([route]);
      const answer = exchange(listening, request('GET /file'));
      await begun.promise;
      return { listening, answer, finish: () => rest.resolve('last\n') };
    };

    it('a closing server sends a streamed file to its end (Q57)', async () => {
      const { listening, answer, finish } = await begin();
      const closed = listening.close(60_000);
      finish();
      expect(await answer).toMatch(/first\n[^]*last\n\r\n0\r\n\r\n$/);
      await closed;
    });

    it('a streamed file that begins while the server closes is sent to its end, too (Q57)', async () => {
      const admitted = Promise.withResolvers<void>();
      const entered = Promise.withResolvers<void>();
      async function* file() {
        yield 'all of it\n';
      }
      const route: Route = {
        method: 'GET',
        path: '/file',
        async handle() {
          entered.resolve();
          await admitted.promise;
          return { status: 200, contentType: 'text/csv', body: file() };
        },
      };
      const listening = await serve([route]);
      const answer = exchange(listening, request('GET /file'));
      await entered.promise;
      const closed = listening.close(60_000);
      admitted.resolve();
      expect(await answer).toMatch(/all of it\n\r\n0\r\n\r\n$/);
      await closed;
    });

    it('a streamed file that is not complete when the grace is over is cut, so that it does not look complete (Q57)', async () => {
      const { listening, answer, finish } = await begin();
      await listening.close(50);
      expect(await answer).toMatch(/first\n\r\n$/);
      finish();
    });
  });

  it('a server may be closed twice', async () => {
    const listening = await serve([hello]);
    await Promise.all([listening.close(10), listening.close(10)]);
  });

  it('a port in use rejects the call that opens the server', async () => {
    const { port } = await serve([hello]);
    await expect(listen(createHttpApp({ routes: [] }), { host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
