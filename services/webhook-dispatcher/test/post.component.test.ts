import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, freePort } from '@gp/testing';
import { errorClass } from '../src/outbound/error-class.ts';
import type { Posted } from '../src/outbound/exchange.ts';
import { openPoster, type Poster, type PosterOptions } from '../src/outbound/post.ts';
import { certificateFor } from '@gp/testing';
import { openReceiver, silence, status, type Receiver } from './support/receiver.ts';

const body = Buffer.from('{"id":"e"}');
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

function poster(o: Partial<PosterOptions> = {}): Poster {
  const opened = openPoster({
    policy: { allowLoopback: true },
    deadlineMs: 30_000,
    connectTimeoutMs: 20_000,
    ...o,
  });
  open.push(opened);
  return opened;
}
async function receiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const opened = await openReceiver(tls);
  open.push(opened);
  return opened;
}
/** A server that speaks for itself, connection by connection. */
async function rawServer(speak: (socket: Socket, connection: number) => void): Promise<string> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    speak(socket, (connections += 1));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const classify = ({ result }: Posted) => ('error' in result ? errorClass(result.error) : result.status);
const readBody = ({ result }: Posted) => ('error' in result ? '' : result.body.toString());

describe('an answer', () => {
  it('a response has the address it came from and the time of its parts', async () => {
    const { url } = await receiver();
    const posted = await poster().post(url, {}, body);
    expect(classify(posted)).toBe(200);
    expect(readBody(posted)).toBe('{"ok":true}');
    expect(posted.remoteAddress).toBe('127.0.0.1');
    expect(posted.timings).toEqual({
      dnsMs: expect.any(Number),
      connectMs: expect.any(Number),
      tlsMs: null,
      firstByteMs: expect.any(Number),
      totalMs: expect.any(Number),
    });
  });

  it('a redirect is taken as it is: it is not followed', async () => {
    const elsewhere = await receiver();
    const here = await receiver();
    for (const code of [301, 302, 303, 307, 308]) {
      here.answer(status(code, { location: elsewhere.url }));
      expect(classify(await poster().post(here.url, {}, body))).toBe(code);
    }
    expect(elsewhere.received).toEqual([]);
  });

  it('a response is read up to 64 kB; the rest is not waited for', async () => {
    const url = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n');
      const pour = (): void => {
        while (socket.writable && socket.write('x'.repeat(16_384)));
        socket.once('drain', pour);
      };
      pour();
    });
    const posted = await poster().post(url, {}, body);
    expect([classify(posted), readBody(posted).length]).toEqual([200, 65_536]);
  });

  it('a response with Retry-After returns its pause', async () => {
    const { url, answer } = await receiver();
    answer(status(503, { 'retry-after': '120' }));
    expect((await poster().post(url, {}, body)).result).toMatchObject({ status: 503, retryAfter: '120' });
  });

  it('a response may be preceded by interim ones', async () => {
    const url = await rawServer((socket) =>
      socket.end(
        'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n',
      ),
    );
    expect(classify(await poster().post(url, {}, body))).toBe(204);
  });
});

describe('the deadline', () => {
  it('the deadline ends an attempt without a response', async () => {
    const { url, answer, open: requests } = await receiver();
    answer(silence);
    expect(classify(await poster({ deadlineMs: 200 }).post(url, {}, body))).toBe('timeout');
    await eventually(() => requests.now === 0 || undefined);
  });

  it('the deadline ends a response that drips, however regularly', async () => {
    const url = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.once('close', () => clearInterval(drip));
    });
    expect(classify(await poster({ deadlineMs: 300 }).post(url, {}, body))).toBe('timeout');
  });

  it('the deadline ends headers that drip', async () => {
    const url = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X-A: b\r\n'), 20);
      socket.once('close', () => clearInterval(drip));
    });
    expect(classify(await poster({ deadlineMs: 300 }).post(url, {}, body))).toBe('timeout');
  });

  it('the deadline covers a name server that does not reply', async () => {
    const resolve = () => new Promise<string[]>(() => undefined);
    const posted = await poster({ deadlineMs: 100, resolve }).post('https://a.example/', {}, body);
    expect(classify(posted)).toBe('timeout');
  });

  it('the deadline covers the wait for a connection when all of an origin are taken', async () => {
    const { url, answer } = await receiver();
    answer(silence);
    const one = poster({ deadlineMs: 300 });
    const posted = await Promise.all(Array.from({ length: 50 }, () => one.post(url, {}, body)));
    expect(new Set(posted.map(classify))).toEqual(new Set(['timeout']));
  });
});

describe('no answer', () => {
  it('an attempt has no response because nothing listens', async () => {
    const posted = await poster().post(`http://127.0.0.1:${await freePort()}/`, {}, body);
    expect(classify(posted)).toBe('connect');
  });

  it('an attempt has no response because the connection broke', async () => {
    const url = await rawServer((socket) => socket.once('data', () => socket.destroy()));
    expect(classify(await poster().post(url, {}, body))).toBe('reset');
  });

  it('an attempt has no response because the bytes are not HTTP', async () => {
    const url = await rawServer((socket) => socket.once('data', () => socket.end('220 smtp ready\r\n')));
    expect(classify(await poster().post(url, {}, body))).toBe('protocol');
  });

  it('an attempt has no response because its headers have no end', async () => {
    const url = await rawServer((socket) =>
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(10_000)}`)),
    );
    expect(classify(await poster().post(url, {}, body))).toBe('protocol');
  });

  it('an attempt has no response because TLS is never established', async () => {
    const url = (await rawServer(() => undefined)).replace('http:', 'https:');
    expect(classify(await poster({ connectTimeoutMs: 200 }).post(url, {}, body))).toBe('connect_timeout');
  });
});

describe('connections', () => {
  it('connections are kept and used again', async () => {
    const { url, connections } = await receiver();
    const one = poster();
    for (let i = 0; i < 20; i += 1) expect(classify(await one.post(url, {}, body))).toBe(200);
    // An answer is handed out just before its connection is free again, so the next request may open a second one.
    expect(connections()).toBeLessThanOrEqual(2);
  });

  it('connections that the receiver closed while idle cost no attempt', async () => {
    const answered = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
    let hungUp = 0;
    const url = await rawServer((socket, connection) => {
      let requests = 0;
      socket.on('data', () => {
        requests += 1;
        if (connection > 1 || requests === 1) return void socket.write(answered);
        hungUp += 1;
        socket.destroy();
      });
    });
    const one = poster();
    expect(classify(await one.post(url, {}, body))).toBe(200);
    // The turn in which the connection becomes free again.
    await setImmediate();
    expect(classify(await one.post(url, {}, body))).toBe(200);
    expect(hungUp).toBe(1);
  });

  it('connections to one origin are limited', async () => {
    const { url, connections, answer, open: requests } = await receiver();
    answer((response) => void delay(30).then(() => response.end()));
    const one = poster();
    await Promise.all(Array.from({ length: 100 }, () => one.post(url, {}, body)));
    expect(connections()).toBeLessThanOrEqual(32);
    expect(requests.most).toBeLessThanOrEqual(32);
  });

  it('connections go to the address, whatever proxy the environment names', async () => {
    const proxy = await receiver();
    const target = await receiver();
    const before = { ...process.env };
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'];
    Object.assign(process.env, Object.fromEntries(names.map((name) => [name, proxy.url])));
    try {
      expect(classify(await poster().post(target.url, {}, body))).toBe(200);
    } finally {
      process.env = before;
    }
    expect([proxy.received.length, target.received.length]).toEqual([0, 1]);
  });

  it('connections over TLS go to the vetted address and still prove the name', async () => {
    const tls = certificateFor('shop.example');
    const { port, received } = await receiver(tls);
    const resolve = async () => ['127.0.0.1'];
    const posted = await poster({ ca: tls.cert, resolve }).post(`https://shop.example:${port}/`, {}, body);
    expect(classify(posted)).toBe(200);
    expect([posted.remoteAddress, typeof posted.timings.tlsMs]).toEqual(['127.0.0.1', 'number']);
    expect(received[0]!.headers.host).toBe(`shop.example:${port}`);
  });

  it('connections over TLS to a server that cannot prove the name are not used', async () => {
    const tls = certificateFor('shop.example');
    const { port, received } = await receiver(tls);
    const resolve = async () => ['127.0.0.1'];
    const wrongName = await poster({ ca: tls.cert, resolve }).post(`https://bank.example:${port}/`, {}, body);
    const unknownCa = await poster({ resolve }).post(`https://shop.example:${port}/`, {}, body);
    expect([classify(wrongName), classify(unknownCa), received.length]).toEqual(['tls', 'tls', 0]);
  });

  it('connections fall back to the next address of a name when one does not reply', async () => {
    const { port } = await receiver();
    const resolve = async () => ['127.0.0.2', '127.0.0.1'];
    const posted = await poster({ resolve }).post(`http://shop.example:${port}/`, {}, body);
    expect([classify(posted), posted.remoteAddress]).toEqual([200, '127.0.0.1']);
  });

  it('connections to localhost work without a name server', async () => {
    const { port } = await receiver();
    expect(classify(await poster().post(`http://localhost:${port}/`, {}, body))).toBe(200);
  });
});
