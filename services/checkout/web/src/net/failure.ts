import type { ErrorCode } from '@gp/errors';

/** A request without a response: the network failed or the server is away. The action may have happened. */
export type Unanswered = { readonly kind: 'unanswered' };

/** A refusal, in the shape of the API's errors. */
export type Refused = {
  readonly kind: 'refused';
  readonly status: number;
  readonly code: ErrorCode | 'unknown';
  /** The parameter that is wrong. */
  readonly param?: string | undefined;
  readonly retryAfterSeconds: number | undefined;
};

export type Failure = Unanswered | Refused;
export type FetchResult<T> = { readonly kind: 'ok'; readonly body: T } | Failure;

export const UNANSWERED: Unanswered = { kind: 'unanswered' };
