import { httpClientSpan, setHttpStatus } from './conventions.ts';
import { stepSpan } from './tracing.ts';

/**
 * Sends one HTTP request inside a span of its own, where its trace is recorded, and returns the response. A header that
 * `send` takes from the current trace names that span. A status from 400 on marks the span as failed.
 */
export function traceHttpCall<Response>(
  call: { readonly method: string; readonly url: URL },
  readStatus: (response: Response) => number,
  send: () => Promise<Response>,
): Promise<Response> {
  return stepSpan(
    () => httpClientSpan(call.method, call.url),
    {},
    async (running) => {
      const response = await send();
      setHttpStatus(running, readStatus(response), 400);
      return response;
    },
  );
}
