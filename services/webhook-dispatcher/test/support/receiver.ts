import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';

export type Received = {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly path: string;
  readonly atMs: number;
  readonly event: { readonly id: string; readonly type: string; readonly data: Record<string, unknown> };
};

export type Respond = (response: ServerResponse, request: Received, count: number) => void;

/** A merchant's server: keeps what it is sent and answers as the test wants. */
export type Receiver = {
  readonly port: number;
  readonly url: string;
  readonly received: Received[];
  /** Requests being answered right now, and the most there ever were. */
  readonly open: { now: number; most: number };
  /** Connections made to it so far. */
  readonly connections: () => number;
  answer(respond: Respond): void;
  /** Resolves as soon as `count` requests have come in. */
  receive(count: number): Promise<Received[]>;
  close(): Promise<void>;
};

export const ok: Respond = (response) => void response.writeHead(200).end('{"ok":true}');
export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Respond =>
  (response) =>
    void response.writeHead(code, headers).end(body);
/** Takes the request and never answers. */
export const silence: Respond = () => undefined;

export async function openReceiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const received: Received[] = [];
  const open = { now: 0, most: 0 };
  const waiting = new Set<() => void>();
  let respond = ok;
  let connections = 0;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.once('close', () => (open.now -= 1));
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const one = {
        headers: request.headers,
        body,
        path: request.url ?? '',
        atMs: Date.now(),
        event: JSON.parse(body) as Received['event'],
      };
      received.push(one);
      respond(response, one, received.length);
      for (const look of [...waiting]) look();
    });
  };
  const server = tls ? createHttps(tls, listener) : createHttp(listener);
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hooks`,
    received,
    open,
    connections: () => connections,
    answer: (given) => void (respond = given),
    receive: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve(received);
        };
        waiting.add(look);
        look();
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
