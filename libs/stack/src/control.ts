import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { Supervised } from './supervisor.ts';

type Action = 'kill' | 'stop' | 'start';
const ACTION = /^\/processes\/([\w-]+)\/(kill|stop|start)$/;

/**
 * The supervisor's loopback interface: `GET /processes` lists the processes, `POST /processes/{name}/{kill
 * stop
 * start}` acts on one. Killed processes restart, stopped ones stay down. Port 0 takes any free one.
 */
export async function serveControl(
  port: number,
  processes: ReadonlyMap<string, Supervised>,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    reply(request, processes).then(
      ({ status, body }) => answer(response, status, body),
      (error: unknown) => answer(response, 500, { error: String(error) }),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Reply = { readonly status: number; readonly body: unknown };
const NOT_FOUND: Reply = { status: 404, body: { error: 'Not Found' } };

async function reply(
  { method, url = '', headers }: IncomingMessage,
  processes: ReadonlyMap<string, Supervised>,
): Promise<Reply> {
  // A web page sent it: no page may stop a developer's services.
  if (headers.origin !== undefined) return NOT_FOUND;
  const path = url.split('?')[0] ?? '';
  if (method === 'GET' && path === '/processes')
    return { status: 200, body: { processes: [...processes.values()].map((p) => p.describe()) } };
  const [, name = '', action] = ACTION.exec(path) ?? [];
  const target = processes.get(name);
  if (method !== 'POST' || !target) return NOT_FOUND;
  await target[action as Action]();
  return { status: 200, body: target.describe() };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
