import type { ErrorCode, ErrorDetail, ErrorResponse, RefundResponse } from './generated/interface.ts';

/**
 * The code of an error: one of the API's, `refund_failed` for a refund by which nothing was refunded, `unknown` where
 * something else than the API answered, or one that a later release of the API adds.
 */
export type FailureCode = ErrorCode | 'refund_failed' | 'unknown' | (string & Record<never, never>);

/** The API returned an error. Programs branch on `code`; support finds the request by `requestId`. */
export class GroupPaymentsError extends Error {
  readonly status: number;
  readonly code: FailureCode;
  readonly requestId: string | undefined;
  /** The field at fault, if any. */
  readonly param: string | undefined;
  /** Every fault of the request, or every slot that it is refused for. */
  readonly details: readonly ErrorDetail[];
  /** A likely cause that the message does not name, for a person. */
  readonly hint: string | undefined;
  /** Where the reference explains the code. */
  readonly docUrl: string | undefined;
  /** The whole response body. */
  readonly body: unknown;
  /**
   * The answer to a refund by which nothing was refunded: the one error whose body is no ErrorResponse. Its `failed` has
   * the reason for each payment; `code` is then `refund_failed`, which this client sets, and `message` the reasons.
   */
  readonly refund: RefundResponse | undefined;
  /** Seconds after which the very same request may succeed. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: unknown, headers: Headers) {
    const error = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorResponse>;
    const refund = isRefund(body) ? body : undefined;
    super(refund ? describeRefund(refund) : (error.message ?? `the API answered ${status}`));
    this.name = 'GroupPaymentsError';
    this.status = status;
    this.code = refund ? 'refund_failed' : (error.code ?? 'unknown');
    this.requestId = headers.get('request-id') ?? undefined;
    this.param = error.param;
    this.details = error.details ?? [];
    this.hint = error.hint;
    this.docUrl = error.doc_url;
    this.body = body;
    this.refund = refund;
    const seconds = headers.get('retry-after');
    this.retryAfter = seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) : undefined;
  }
}

const isRefund = (body: unknown): body is RefundResponse =>
  typeof body === 'object' && body !== null && 'failed' in body && Array.isArray(body.failed);

function describeRefund({ failed }: RefundResponse): string {
  const reasons = [...new Set(failed.map(({ psp_code, error }) => `${psp_code}: ${error}`))];
  return `Nothing was refunded. ${reasons.join('; ')}`;
}

/**
 * No response came: the connection failed or the time was up, after every retry. The effect of the request is not
 * known. `message` names the reason, and `cause` is the error of the last try.
 */
export class NoAnswerError extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what} got no answer: ${describeCause(cause)}`, { cause });
    this.name = 'NoAnswerError';
  }
}

/** `fetch` says "fetch failed" and keeps the reason, such as ECONNREFUSED, in the cause of its error. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const { code } = cause as { code?: unknown };
  const reason = cause.message === '' && typeof code === 'string' ? code : cause.message;
  return `${error.message} (${reason})`;
}
