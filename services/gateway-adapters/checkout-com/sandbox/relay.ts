import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '@gp/telemetry';
import type { Account, Accounts } from '@gp/psp-sandbox/kit';
import { readAppKeys, findAppByRelayKey } from './account.ts';
import { decryptBody } from './decrypt-body.ts';

export type RelayOptions = {
  readonly accounts: Accounts;
  /** `host:port` of every processor to which the relay may connect. */
  readonly destinations: ReadonlySet<string>;
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
};

/** A card form is small; a longer body is not one of ours. */
const MAX_BODY_BYTES = 256 * 1024;

type Tunnel = { readonly app: Account; readonly destination: string };

/**
 * The outbound relay: a CONNECT proxy that ends the TLS of the tunnel itself, replaces every encrypted field of a
 * JSON body by its plain value, and forwards the request. Plain values stay in memory for the length of one
 * request.
 */
export async function openRelay(o: RelayOptions): Promise<{ port: number; close(): Promise<void> }> {
  const tunnels = new WeakMap<object, Tunnel>();
  const sockets = new Set<Duplex>();
  const inner = createServer((req, res) => {
    const tunnel = tunnels.get(req.socket);
    if (tunnel === undefined) return void res.destroy();
    forwardRequest(tunnel, req, res).catch((err: unknown) => {
      o.log.warn({ err, operation: 'relay' }, 'could not pass a request on');
      req.socket.destroy();
    });
  });
  // Invalid data inside a tunnel closes it.
  inner.on('clientError', (_error, socket) => socket.destroy());
  const proxy = createServer((_req, res) => res.writeHead(405).end());
  proxy.on('clientError', (_error, socket) => socket.destroy());
  proxy.on('connect', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    socket.on('error', () => socket.destroy());
    admit(o, req).then(
      (admitted) => {
        if (typeof admitted === 'string') return void socket.end(admitted);
        tunnels.set(socket, admitted);
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        if (head.length > 0) socket.unshift(head);
        inner.emit('connection', socket);
      },
      (err: unknown) => {
        o.log.warn({ err, operation: 'relay' }, 'could not open a tunnel');
        socket.destroy();
      },
    );
  });
  const port = await listening(proxy, o);
  o.log.info({ host: o.host, port }, 'relay is listening');
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
        sockets.forEach((socket) => socket.destroy());
      }),
  };
}

function listening(proxy: Server, { host, port }: RelayOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    proxy.once('error', reject);
    proxy.listen(port, host, () => resolve((proxy.address() as AddressInfo).port));
  });
}

const refusal = (status: string, ...headers: readonly string[]): string =>
  [`HTTP/1.1 ${status}`, ...headers, 'Content-Length: 0', 'Connection: close', '', ''].join('\r\n');

/** Returns the app and the destination of a tunnel, or the head of the response that refuses it. */
async function admit(
  { accounts, destinations }: RelayOptions,
  req: IncomingMessage,
): Promise<Tunnel | string> {
  const app = await findAppByRelayKey(accounts, req.headers['proxy-authorization']);
  if (app === undefined) return refusal('407 Proxy Authentication Required', 'Proxy-Authenticate: Basic');
  const destination = req.url ?? '';
  return destinations.has(destination) ? { app, destination } : refusal('403 Forbidden');
}

async function forwardRequest(
  { app, destination }: Tunnel,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const body = await collected(req);
  if (body === undefined) return void res.writeHead(413, { Connection: 'close' }).end();
  const isJson = /^application\/(.+\+)?json\b/i.test(req.headers['content-type'] ?? '');
  const plain = isJson ? decryptBody(body, readAppKeys(app)) : body;
  if ('code' in plain) {
    const problem = JSON.stringify(plain);
    return void res.writeHead(plain.status, { 'Content-Type': 'application/problem+json' }).end(problem);
  }
  send(destination, req, res, plain);
}

async function collected(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Sends the request to the processor. A processor that disconnects ends the tunnel, and a client that disconnects
 * ends the request.
 */
function send(destination: string, req: IncomingMessage, res: ServerResponse, body: Buffer): void {
  const at = destination.lastIndexOf(':');
  const {
    'proxy-authorization': _key,
    'transfer-encoding': _chunks,
    connection: _connection,
    ...headers
  } = req.headers;
  const upstream = forward({
    host: destination.slice(0, at),
    port: destination.slice(at + 1),
    method: req.method,
    path: req.url,
    headers: { ...headers, 'content-length': body.length },
    agent: false,
  });
  const breakOff = () => req.socket.destroy();
  upstream.on('error', breakOff);
  upstream.on('response', (answer) => {
    const { 'transfer-encoding': _encoding, connection: _answered, ...answered } = answer.headers;
    res.writeHead(answer.statusCode ?? 502, answered);
    answer.on('error', breakOff);
    answer.pipe(res);
  });
  res.once('close', () => upstream.destroy());
  upstream.end(body);
}
