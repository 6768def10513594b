import { catalogue, type ErrorCode } from '@gp/errors';
import type { TSchema } from '@gp/bundled/typebox';
import type { SessionScope } from '../checkout/sessions.ts';
import type { KeyScope } from '../merchant/merchant.ts';

/** The credentials that an Authorization header may carry. */
export type CredentialKind = 'secret_key' | 'session_token';

/** For operations that only a merchant's own server may call. */
export const secretKey = ['secret_key'] as const;
/** For operations that a payer's browser may also call, with a token of its own group. */
export const withSession = ['secret_key', 'session_token'] as const;

/** The chapters of the reference, in its order. */
export const TAGS = [
  'Group payments',
  'Payments',
  'Refunds',
  'Customers',
  'Balance',
  'Sessions',
  'Webhooks',
  'Events',
  'Request logs',
  'Test clock',
] as const;

/** One public operation: the source of its route, of its description and of its client's method. */
export type Operation = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces. */
  readonly path: string;
  readonly tag: (typeof TAGS)[number];
  readonly summary: string;
  /** Details beyond the summary for a merchant's engineer; Markdown. */
  readonly description?: string;
  /** The credentials that may call it. */
  readonly accepts: readonly CredentialKind[];
  /** The scope that a session token needs, where one is accepted. */
  readonly sessionScope?: SessionScope;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Whether a request without any body counts as one with `{}`. */
  readonly isBodyOptional?: true;
  readonly success: { readonly status: number; readonly body: TSchema };
  /** Whether success is a stream of server-sent events, which the header Last-Event-ID resumes. */
  readonly isStream?: true;
  /** A response that is neither success nor an error body. */
  readonly otherwise?: { readonly status: number; readonly body: TSchema; readonly description: string };
  /** Its error codes beside those that its form brings with it (see `listErrorCodes`). */
  readonly errors: readonly ErrorCode[];
  /** Whether the header Location of its success has the path of what was created: its own path and the id. */
  readonly isLocated?: true;
  /** Whether it takes an Idempotency-Key. */
  readonly isIdempotent?: true;
  /**
   * Days on which its end was announced and on which it ends, a year later at the earliest (Q17); response headers
   * state them.
   */
  readonly deprecated?: { readonly since: string; readonly sunset: string };
  /** Whether it is an addition to the published interface 1.0.0. */
  readonly isExtension?: true;
};

/** The right that a restricted key needs to change the objects of a chapter; logs show what all keys did, so reading them needs their own. */
const SCOPE_BY_TAG: Readonly<Record<Operation['tag'], KeyScope>> = {
  'Group payments': 'payments',
  Payments: 'payments',
  Refunds: 'refunds',
  Customers: 'read',
  Balance: 'read',
  Sessions: 'payments',
  Webhooks: 'webhooks',
  Events: 'webhooks',
  'Request logs': 'logs',
  'Test clock': 'test_clock',
};

/** Returns the right that a restricted key needs for an operation. */
export function findKeyScope({ method, tag }: Pick<Operation, 'method' | 'tag'>): KeyScope {
  return method === 'GET' && tag !== 'Request logs' ? 'read' : SCOPE_BY_TAG[tag];
}

/** Error codes of every operation, whatever its form. */
export const errorCodesOfAll: readonly ErrorCode[] = [
  'malformed_request',
  'unauthorized',
  'insufficient_scope',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
  'deadline_exceeded',
];

/** Returns every error code of an operation, by catalogue order: its own and those its form brings with it. */
export function listErrorCodes(operation: Operation): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([...errorCodesOfAll, ...operation.errors]);
  if (operation.query || operation.body || operation.isIdempotent) codes.add('validation_error');
  if (operation.body) codes.add('invalid_json');
  if (operation.path.includes('{')) codes.add('not_found');
  if (operation.isIdempotent) codes.add('idempotency_key_in_use').add('idempotency_key_reused');
  return (Object.keys(catalogue) as ErrorCode[]).filter((code) => codes.has(code));
}
