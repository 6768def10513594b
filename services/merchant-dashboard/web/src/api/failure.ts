/** The body of every error of the platform. */
type ErrorBody = {
  readonly message?: string;
  readonly code?: string;
  readonly request_id?: string;
  readonly param?: string;
  readonly details?: readonly unknown[];
};

/** The backend returned an error. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly param: string | undefined;
  readonly details: readonly unknown[];
  /** The whole body of the response: a refund that every gateway refused returns a body of its own. */
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

/** No response came. Whether an action was done is not known. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super('no answer from the server', { cause });
    this.name = 'NoAnswer';
  }
}

/** A passkey was not used: the user closed the browser's dialog, or the page is not at its host name. */
export class PasskeyFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'PasskeyFault';
  }
}

/** Returns whether the session is over; a role without the permission gets a 403. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 401 && error.code === 'unauthorized';
}

/** Returns whether the team demands a second factor that the user does not have. */
export function lacksSecondFactor(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 403 && error.param === 'second_factor';
}

/** Returns whether the same request may succeed, or return its earlier result, when it is sent again. */
export function isPassing(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  if (!(error instanceof ApiFailure)) return false;
  return error.status >= 500 || error.status === 429 || error.code === 'idempotency_key_in_use';
}
