import { createHttpApp, listen, type Around, type Route } from '@gp/http';
import type { Logger } from '@gp/telemetry';
import { httpServerSpan, observeHttpRequest, setHttpStatus, span } from '@gp/telemetry';
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
  return ({ method, route: matched, path, headers, requestId }, run) => {
    const route = matched ?? 'unknown';
    const traceparent = typeof headers['traceparent'] === 'string' ? headers['traceparent'] : undefined;
    const { name, ...described } = httpServerSpan({ method, route: matched, path, host: headers.host });
    const options = { ...described, root: traceparent === undefined, traceparent };
    return span(name, options, async (running) => {
      running.set({ request_id: requestId });
      const startedAt = performance.now();
      const outcome = await run();
      const durationMs = performance.now() - startedAt;
      setHttpStatus(running, outcome.status, 500);
      observeHttpRequest({ route, method, status: outcome.status, durationMs });
      const line = { method, route, status: outcome.status, request_id: requestId };
      if (outcome.status >= 500) log.warn({ ...line, err: outcome.cause }, 'answered with a failure');
      else log.debug(line, 'answered');
      return outcome;
    });
  };
}
