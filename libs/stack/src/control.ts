import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { Supervised } from './supervisor.ts';

const ACTIONS = ['kill', 'stop', 'start'] as const;

/**
 * The supervisor's loopback side: `GET /processes` lists what runs, `POST /processes/{name}/{kill|stop|start}`
 * acts on one. Killed processes come back, stopped ones stay down.
 */
export async function serveControl(
  port: number,
  processes: ReadonlyMap<string, Supervised>,
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const [, noun, name, verb] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    if (request.method === 'GET' && noun === 'processes' && name === undefined)
      return answer(response, 200, { processes: [...processes.values()].map((p) => p.describe()) });
    const target = noun === 'processes' ? processes.get(name ?? '') : undefined;
    const action = ACTIONS.find((candidate) => candidate === verb);
    if (request.method !== 'POST' || !target || !action) return answer(response, 404, { error: 'Not Found' });
    target[action]().then(
      () => answer(response, 200, target.describe()),
      () => answer(response, 500, { error: `${action} failed` }),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
