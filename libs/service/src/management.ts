import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { renderMetrics } from '@gp/telemetry';
import type { ReadyReport } from './readiness.ts';

type Page = (response: ServerResponse, request: IncomingMessage) => Promise<void>;

export type Management = { readonly port: number; close(): Promise<void> };

/**
 * Listens for the platform, apart from any public port: `/livez` (checks only that the event loop replies,
 * because a restart repairs no database), `/startupz`, `/readyz` (503 names the failing probes), `/healthz`, which is
 * `/readyz` under the name that monitors of other platforms look for, and `/metrics`, as text or as OpenMetrics. `HEAD` gets
 * the same status and headers without the body.
 */
export async function openManagement(o: {
  host: string;
  port: number;
  started: () => Promise<ReadyReport>;
  ready: () => Promise<ReadyReport>;
}): Promise<Management> {
  const pages: Readonly<Record<string, Page>> = {
    '/livez': async (response) => report(response, { ready: true, failing: {} }),
    '/startupz': async (response) => report(response, await o.started()),
    '/readyz': async (response) => report(response, await o.ready()),
    '/healthz': async (response) => report(response, await o.ready()),
    '/metrics': async (response, { headers }) => {
      const { contentType, text } = await renderMetrics(headers.accept);
      response.writeHead(200, { 'content-type': contentType, vary: 'Accept' }).end(text);
    },
  };
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const page = isRead ? pages[request.url?.split('?')[0] ?? ''] : undefined;
    if (page === undefined) response.writeHead(404).end();
    else page(response, request).catch(() => response.writeHead(500).end());
  });
  server.listen(o.port, o.host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : o.port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function report(response: ServerResponse, { ready, failing }: ReadyReport): void {
  response.writeHead(ready ? 200 : 503, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ status: ready ? 'ok' : 'unavailable', failing }));
}
