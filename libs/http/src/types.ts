import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** The fields of a request that are known before its body is read. */
export type HttpHead = {
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  /** Decoded path parameters; a wildcard's segments are joined by `/`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Every value of a header by itself: `headers` joins them, or keeps the first. */
  readonly headersDistinct: IncomingMessage['headersDistinct'];
  /** `req_…`, also sent as the response's `Request-Id`. */
  readonly requestId: string;
  readonly remoteAddress: string;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** Sets a header of the response, whatever its status: a refusal of the body carries it too. */
  readonly setHeader: (name: string, value: string) => void;
  /** Tells observers more about the request, such as whose it is: they find it in `RequestInfo.notes`. */
  readonly note: (notes: Readonly<Record<string, string>>) => void;
};

export type HttpRequest = HttpHead & {
  /** The exact bytes received; empty when there was no body. */
  readonly rawBody: Buffer;
  /** The value that the route's `admit` returned. */
  readonly admitted?: unknown;
};

/**
 * Without `contentType`, a Buffer is sent as octets, a string as plain text, an async iterable as octets while
 * it yields, and any other value as JSON. An async iterable of `text/event-stream` is ended when the server closes; any
 * other one may come to its end within the grace, and is cut when it does not, so that it never looks complete.
 */
export type HttpResponse = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
  readonly contentType?: string;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

export type Route = {
  readonly method: Method;
  /** An express 5 path such as `/v1/group-payments/:id`. */
  readonly path: string;
  /**
   * Runs before the body is read or checked: the place for authentication and rate limits, so that a stranger
   * gets a 401 and nothing of the body check. Its value is passed as `request.admitted`.
   */
  readonly admit?: (head: HttpHead) => Promise<unknown>;
  /** Overrides the application's `jsonOnly` for this route. */
  readonly jsonOnly?: boolean;
  readonly handle: (request: HttpRequest) => Promise<HttpResponse>;
};

/** Builds a route whose handler gets the value that `admit` returned, with its type. */
export function admittedRoute<A>(route: {
  readonly method: Method;
  readonly path: string;
  readonly jsonOnly?: boolean;
  readonly admit: (head: HttpHead) => Promise<A>;
  readonly handle: (request: HttpRequest, admitted: A) => Promise<HttpResponse>;
}): Route {
  return { ...route, handle: (request) => route.handle(request, request.admitted as A) };
}

/** The fields of a request that an observer may read. */
export type RequestInfo = {
  readonly method: string;
  /** The pattern of the matching route; undefined when none matched. */
  readonly route: string | undefined;
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  readonly remoteAddress: string;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** What the route noted so far. */
  readonly notes: Readonly<Record<string, string>>;
  /** Returns the body as received; undefined when it was not read to its end. */
  readonly receivedBody: () => Buffer | undefined;
};

/** The final response of a request; `cause` is the error behind it, for logs only, and is never sent. */
export type HttpOutcome = HttpResponse & { readonly cause?: unknown };

/** Wraps every request with logging, measuring or tracing; `run` never rejects. */
export type Around = (info: RequestInfo, run: () => Promise<HttpOutcome>) => Promise<HttpOutcome>;
