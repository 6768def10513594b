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
import { toRefusalCode, refuse } from './refusal.ts';

export type ListenOptions = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Most milliseconds for the headers to arrive; 10 s by default. */
  readonly headersTimeoutMs?: number;
  /** Most milliseconds for headers and body to arrive; 30 s by default. */
  readonly requestTimeoutMs?: number;
  /**
   * Called for connections that could not be accepted (no descriptors left, for example); they end nothing else.
   */
  readonly onAcceptError?: (error: Error) => void;
};

export type Listening = {
  readonly port: number;
  /**
   * Stops accepting, lets requests in flight finish for at most `graceMs`, then cuts the rest. A connection in
   * use is closed by its next response, an idle one after a second of idleness. Resolves when every connection
   * is gone; a second call waits for the same end.
   */
  close(graceMs: number): Promise<void>;
};

/** Serves the application; rejects when the address is not available. */
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
    // Ends the timer of the server's time limits.
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
    // Longer than the usual 60 s of load balancers: the side that reuses connections must be the one to close
    // them.
    keepAliveTimeout: 65_000,
    // The longest delay until an overrun of the two limits above is detected.
    connectionsCheckingInterval: 1_000,
    // The application refuses a missing Host itself, in the documented shape.
    requireHostHeader: false,
  };
}

function serveWith(server: Server, app: HttpApp | RequestListener): Connections {
  const docsUrl = 'docsUrl' in app ? app.docsUrl : undefined;
  const connections = new Connections(server);
  const latest = new WeakMap<Duplex, ServerResponse>();
  const handle: RequestListener = (req, res) => {
    latest.set(req.socket, res);
    connections.begin(req.socket, res);
    app(req, res);
  };
  server.on('request', handle);
  // An unknown expectation is no reason to refuse; Node itself handles 100-continue.
  server.on('checkExpectation', handle);
  server.on('connect', (_req, socket) => refuse(socket, 'malformed_request', docsUrl));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = latest.get(socket);
    // After a request has its response, or the beginning of it, the client would take a reply to its broken rest
    // for something else.
    const isOver = response?.writableFinished === true && response.req.complete;
    const isAnswering = response?.headersSent === true && !isOver;
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, toRefusalCode(error), docsUrl);
  });
  return connections;
}
