import { failureClass } from './error-fields.ts';
import { counter, tracedHistogram } from './metrics.ts';

/** Rate, errors and duration of all requests and messages, one definition for all services. */
const httpRequests = counter({
  name: 'gp_http_requests_total',
  help: 'HTTP requests answered, by route pattern, method and status',
  unit: 'requests',
  labels: ['route', 'method', 'status'],
});
const httpDuration = tracedHistogram({
  name: 'gp_http_request_duration_seconds',
  help: 'Time from the first byte of a request to the end of its answer',
  unit: 'seconds',
  labels: ['route', 'method'],
});
const busMessages = counter({
  name: 'gp_bus_messages_total',
  help: 'Messages handled, by subject without its ids, way of handling and outcome (ok or the error code)',
  unit: 'messages',
  labels: ['subject', 'way', 'outcome'],
});
const busDuration = tracedHistogram({
  name: 'gp_bus_handling_duration_seconds',
  help: 'Time a handler took for one message, or for one batch of them',
  unit: 'seconds',
  labels: ['subject', 'way'],
});

export type HandlingWay = 'rpc' | 'batch' | 'stream';
export type Handled = { readonly outcome: string; readonly durationMs: number; readonly error?: unknown };

/** Counts and times one finished HTTP request; `route` is the pattern, never the path with its ids. */
export function observeHttpRequest(o: {
  route: string;
  method: string;
  status: number;
  durationMs: number;
}): void {
  httpRequests.inc({ route: o.route, method: o.method, status: String(o.status) });
  httpDuration.observe({ route: o.route, method: o.method }, o.durationMs / 1_000);
}

/** Returns a subject without the id at its end (`evt.….v1.<group>` → `evt.….v1`): the name in metrics. */
export function subjectName(subject: string): string {
  return /^.*?\.v\d+(?=\.|$)/.exec(subject)?.[0] ?? subject;
}

/**
 * Runs a bus handler and counts and times it; `done` gets the result before it is returned. A failure is counted
 * under its code and rethrown.
 */
export async function observeHandling<T>(
  o: { subject: string; way: HandlingWay; count?: number },
  handle: () => Promise<T>,
  done: (handled: Handled) => void,
): Promise<T> {
  const startedAt = performance.now();
  const finish = (outcome: string, error?: unknown) => {
    const durationMs = performance.now() - startedAt;
    busMessages.inc({ subject: o.subject, way: o.way, outcome }, o.count ?? 1);
    busDuration.observe({ subject: o.subject, way: o.way }, durationMs / 1_000);
    done({ outcome, durationMs, error });
  };
  try {
    const result = await handle();
    finish('ok');
    return result;
  } catch (error) {
    finish(failureClass(error), error);
    throw error;
  }
}
