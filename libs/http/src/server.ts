import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpApp } from './app.ts';
import { Connections } from './connections.ts';
import { refusalOf, refuse } from './refusal.ts';

export type ListenOptions = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Most milliseconds for the headers to arrive; 10 s unless told. */
  readonly headersTimeoutMs?: number;
  /** Most milliseconds for headers and body to arrive; 30 s unless told. */
  readonly requestTimeoutMs?: number;
  /** Hears of connections that could not be accepted (no descriptors left, say); they end nothing else. */
  readonly onAcceptError?: (error: Error) => void;
};

export type Listening = {
  readonly port: number;
  /**
   * Stops accepting, lets requests in flight finish for at most `graceMs`, then cuts what is left. A connection that is
   * in use is closed by its next answer, an idle one when it was so for a second. Resolves when every connection is
   * gone; calling it again waits for the same end.
   */
  close(graceMs: number): Promise<void>;
};

/** Serves the application; rejects when the address cannot be taken. */
export async function listen(app: HttpApp | RequestListener, o: ListenOptions): Promise<Listening> {
  const server = createServer(serverOptions(o));
  const connections = serveWith(server, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(o.port, o.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', o.onAcceptError ?? (() => undefined));

  async function finish(graceMs: number): Promise<void> {
    // Node's own close of an HTTP server would cut idle connections at once.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    connections.drain();
    if ('endStreams' in app) app.endStreams();
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(cut);
    // Ends the timer of its time limits.
    server.close();
  }

  let finished: Promise<void> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) => (finished ??= finish(graceMs)),
  };
}

function serverOptions(o: ListenOptions): ServerOptions {
  return {
    headersTimeout: o.headersTimeoutMs ?? 10_000,
    requestTimeout: o.requestTimeoutMs ?? 30_000,
    // Longer than the usual 60 s of load balancers: the side that reuses connections must be the one to drop them.
    keepAliveTimeout: 65_000,
    // How late the two limits above may be noticed.
    connectionsCheckingInterval: 1_000,
    // The application refuses a missing Host itself, in the documented shape.
    requireHostHeader: false,
  };
}

function serveWith(server: Server, app: RequestListener): Connections {
  const connections = new Connections(server);
  const latest = new WeakMap<Duplex, ServerResponse>();
  const handle: RequestListener = (req, res) => {
    latest.set(req.socket, res);
    connections.begin(req.socket, res);
    app(req, res);
  };
  server.on('request', handle);
  // An expectation we do not know is no reason to refuse; 100-continue is Node's own business.
  server.on('checkExpectation', handle);
  server.on('connect', (_req, socket) => refuse(socket, 'malformed_request'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = latest.get(socket);
    // Once a request has its response, or the beginning of it, an answer to its broken rest would be taken for
    // something else.
    const isOver = response?.writableFinished === true && response.req.complete;
    const isAnswering = response?.headersSent === true && !isOver;
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, refusalOf(error));
  });
  return connections;
}
