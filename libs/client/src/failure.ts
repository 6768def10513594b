import type { ErrorResponse } from './generated/interface.ts';

/** The API answered with an error. Programs decide by `code`; support finds everything by `requestId`. */
export class GroupPaymentsError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** The field at fault, where there is one. */
  readonly param: string | undefined;
  readonly details: readonly unknown[];
  /** What was answered, whole: a refund that every gateway refused answers 502 with a body of its own. */
  readonly body: unknown;
  /** Seconds after which the very same request may succeed. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: unknown, headers: Headers) {
    const error = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorResponse>;
    super(error.message ?? `the API answered ${status}`);
    this.name = 'GroupPaymentsError';
    this.status = status;
    this.code = error.code ?? 'unknown';
    this.requestId = headers.get('request-id') ?? undefined;
    this.param = error.param;
    this.details = error.details ?? [];
    this.body = body;
    const seconds = headers.get('retry-after');
    this.retryAfter = seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) : undefined;
  }
}

/** No answer came: the connection failed or the time was up, after every retry. Whether it was done is not known. */
export class NoAnswerError extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what} got no answer`, { cause });
    this.name = 'NoAnswerError';
  }
}
