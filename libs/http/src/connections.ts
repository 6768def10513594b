import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A connection that was used less than this ago may carry the next request already: closed now, that request would
 * be lost with nobody knowing whether it was heard.
 */
const SETTLED_MS = 1_000;

type Connection = { readonly pending: Set<ServerResponse>; idleSince: number };

/**
 * Knows which connections have a request in flight, and brings them to their end.
 *
 * Node's own closeIdleConnections counts a connection that never sent anything as busy, looks only once, and closes
 * under a client that is about to use the connection again.
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

  /** Every answer from now on is its connection's last, and connections that nobody uses are closed. */
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
    // A process that was held up finds requests that came meanwhile only after its timers.
    const timer = setTimeout(() => setImmediate(() => this.#endWhenSettled(socket)), waitMs);
    socket.once('close', () => clearTimeout(timer));
  }
}

/** Tells the client to use another connection for what comes next. */
function sayGoodbye(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
