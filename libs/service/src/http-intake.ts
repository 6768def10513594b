import type { Around, HttpAppOptions, HttpOutcome, RequestInfo } from '@gp/http';
import { httpServerSpan, observeHttpRequest, setHttpStatus, span, type Logger } from '@gp/telemetry';

/** `around` wraps a request inside its span and its measure. */
export type HttpOptions = Omit<HttpAppOptions, 'routes'> & {
  readonly port: number;
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /**
   * Continues the caller's trace. Only for listeners that only our own services reach: on a public one a
   * stranger could attach requests to any trace, or switch recording on for all of them.
   */
  readonly trustTraceparent?: boolean;
};

/**
 * Puts each request in its own span, and counts, times and logs it once when its response is sent, with what its route noted.
 * `around` wraps what is observed.
 */
export function observing(
  log: Logger,
  { trustTraceparent = false, around = plainly }: Pick<HttpOptions, 'trustTraceparent' | 'around'>,
): Around {
  return (info, run) => {
    const route = info.route ?? 'unmatched';
    const traceparent = trustTraceparent ? readHeader(info, 'traceparent') : undefined;
    const { name, ...described } = httpServerSpan({
      ...{ method: info.method, route: info.route, path: info.path },
      ...{ host: info.headers.host, proto: info.headers['x-forwarded-proto'] },
    });
    const options = { ...described, root: traceparent === undefined, traceparent };
    return span(name, options, async (running) => {
      const request = { method: info.method, route, request_id: info.requestId };
      running.set({ request_id: info.requestId });
      const startedAt = performance.now();
      const outcome = await around(info, run);
      const durationMs = performance.now() - startedAt;
      setHttpStatus(running, outcome.status, 500);
      observeHttpRequest({ route, method: info.method, status: outcome.status, durationMs });
      const line = { ...info.notes, ...request, duration_ms: Math.round(durationMs * 10) / 10 };
      logAnswer(log, line, outcome);
      return outcome;
    });
  };
}

const plainly: Around = (_info, run) => run();

/** Fields outside the allow-list of the log are dropped. */
type AccessLine = { method: string; route: string; request_id: string; duration_ms: number };

/** A refusal is logged with its reason, a fault of ours as an error with its place. */
function logAnswer(log: Logger, line: AccessLine, { status, cause }: HttpOutcome): void {
  const fields = { ...line, status, ...(cause !== undefined && { err: cause }) };
  const message = `${line.method} ${line.route} answered ${status}`;
  if (status === 500) log.error(fields, message);
  else if (status > 500) log.warn(fields, message);
  else log.info(fields, message);
}

function readHeader(info: RequestInfo, name: string): string | undefined {
  const value = info.headers[name];
  return typeof value === 'string' ? value : undefined;
}
