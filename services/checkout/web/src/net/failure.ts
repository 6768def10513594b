import type { ErrorCode } from '@gp/errors';

/** A request that could not be answered: the network, or a server that is away. What it asked for may have happened. */
export type Unanswered = { readonly kind: 'unanswered' };

/** An answer that says no, in the shape of the API's errors. */
export type Refused = {
  readonly kind: 'refused';
  readonly status: number;
  readonly code: ErrorCode | 'unknown';
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
};

export type Failure = Unanswered | Refused;
export type Answer<T> = { readonly kind: 'ok'; readonly body: T } | Failure;

export const UNANSWERED: Unanswered = { kind: 'unanswered' };
