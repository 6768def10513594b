import { createHttpApp, listen, type Around, type Route } from '@gp/http';
import type { Logger } from '@gp/telemetry';
import { observeHttpRequest, span } from '@gp/telemetry';
import { cuttable } from './exchange.ts';

/** Requests under way may finish within this time; a fault that only waits need not be waited for. */
const GRACE_MS = 1_000;

/**
 * Serves routes on a port of the sandbox. Unlike a service's own HTTP server it can cut a connection on purpose.
 * Only this platform calls it, so it continues the caller's trace.
 */
export async function serve(o: {
  routes: readonly Route[];
  host: string;
  port: number;
  log: Logger;
}): Promise<{ port: number; close(): Promise<void> }> {
  const app = createHttpApp({ routes: o.routes, jsonOnly: false, around: observed(o.log) });
  const server = await listen(cuttable(app), { host: o.host, port: o.port, requestTimeoutMs: 30_000 });
  o.log.info({ host: o.host, port: server.port }, 'listening for HTTP');
  return { port: server.port, close: () => server.close(GRACE_MS) };
}

function observed(log: Logger): Around {
  return ({ method, route = 'unknown', headers, requestId }, run) => {
    const traceparent = typeof headers['traceparent'] === 'string' ? headers['traceparent'] : undefined;
    const options = {
      kind: 'server',
      root: traceparent === undefined,
      traceparent,
      attributes: { method, route, request_id: requestId },
    } as const;
    return span(`${method} ${route}`, options, async (running) => {
      const startedAt = performance.now();
      const outcome = await run();
      const durationMs = performance.now() - startedAt;
      running.set({ http_status: outcome.status });
      observeHttpRequest({ route, method, status: outcome.status, durationMs });
      const line = { method, route, status: outcome.status, request_id: requestId };
      if (outcome.status >= 500) log.warn({ ...line, err: outcome.cause }, 'answered with a failure');
      else log.debug(line, 'answered');
      return outcome;
    });
  };
}
