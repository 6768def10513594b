/** The body of every error of the platform. */
type ErrorBody = {
  readonly message?: string;
  readonly code?: string;
  readonly request_id?: string;
  readonly param?: string;
  readonly details?: readonly unknown[];
};

/** The backend answered with an error. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly param: string | undefined;
  readonly details: readonly unknown[];
  /** What was answered, whole: a refund that every gateway refused answers with a body of its own. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    const error = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
    super(error.message ?? `the dashboard's server answered ${status}`);
    this.name = 'ApiFailure';
    this.status = status;
    this.code = error.code ?? 'unknown';
    this.requestId = error.request_id;
    this.param = error.param;
    this.details = error.details ?? [];
    this.body = body;
  }
}

/** No answer came. Whether an action was done is not known. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super('no answer from the server', { cause });
    this.name = 'NoAnswer';
  }
}

/** Whether the session is over. A role that does not suffice is told by the same status and another code. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 401 && error.code === 'unauthorized';
}

/** Whether the very same request may succeed, or tell what came of it, when it is sent again. */
export function isPassing(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  if (!(error instanceof ApiFailure)) return false;
  return error.status >= 500 || error.status === 429 || error.code === 'idempotency_key_in_use';
}
