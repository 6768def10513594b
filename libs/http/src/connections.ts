import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Knows which connections have a request in flight.
 *
 * Node's own closeIdleConnections counts a connection that never sent anything as busy, and looks only once; a
 * client with one such spare connection (every browser) would use up the whole grace.
 */
export class Connections {
  readonly #pending = new Map<Socket, number>();
  #isDraining = false;

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#pending.set(socket, 0);
      socket.once('close', () => this.#pending.delete(socket));
    });
  }

  /** Counts a request in flight until its response has ended. */
  begin(socket: Socket, response: ServerResponse): void {
    this.#add(socket, 1);
    if (this.#isDraining) response.setHeader('Connection', 'close');
    response.once('close', () => {
      this.#add(socket, -1);
      if (this.#isDraining && this.#pending.get(socket) === 0) socket.destroySoon();
    });
  }

  /** Ends every connection as soon as nothing is in flight on it, the idle ones now. */
  drain(): void {
    this.#isDraining = true;
    for (const [socket, pending] of this.#pending) if (pending === 0) socket.destroySoon();
  }

  #add(socket: Socket, change: 1 | -1): void {
    const pending = this.#pending.get(socket);
    if (pending !== undefined) this.#pending.set(socket, pending + change);
  }
}
