import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A connection that was used less than this ago may carry the next request already: if it were closed now, that
 * request would be lost and the client could not know whether it was processed.
 */
const SETTLED_MS = 1_000;

type Connection = { readonly pending: Set<ServerResponse>; idleSince: number };

/**
 * Tracks which connections have a request in flight, and closes them at the end.
 *
 * Node's own closeIdleConnections counts a connection that never sent anything as busy, checks only once, and
 * closes under a client that is about to use the connection again.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  #isDraining = false;

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#open.set(socket, { pending: new Set(), idleSince: performance.now() });
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  /** Counts a request in flight until its response has ended. */
  begin(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket);
    connection?.pending.add(response);
    if (this.#isDraining) sayGoodbye(response);
    response.once('close', () => {
      connection?.pending.delete(response);
      if (connection) connection.idleSince = performance.now();
      if (this.#isDraining) this.#endWhenSettled(socket);
    });
  }

  /** Makes every further response its connection's last, and closes idle connections. */
  drain(): void {
    this.#isDraining = true;
    for (const [socket, { pending }] of this.#open) {
      pending.forEach(sayGoodbye);
      setImmediate(() => this.#endWhenSettled(socket));
    }
  }

  #endWhenSettled(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (!connection || connection.pending.size > 0) return;
    const waitMs = connection.idleSince + SETTLED_MS - performance.now();
    if (waitMs <= 0) return socket.destroySoon();
    // A process that was stalled runs its timers before it reads requests that came meanwhile.
    const timer = setTimeout(() => setImmediate(() => this.#endWhenSettled(socket)), waitMs);
    socket.once('close', () => clearTimeout(timer));
  }
}

/** Asks the client to use another connection for further requests. */
function sayGoodbye(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
