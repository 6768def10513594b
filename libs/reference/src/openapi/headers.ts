import type { JsonObject } from '../json.ts';

const text = (description: string, example: string, rest: JsonObject = {}): JsonObject => ({
  description,
  schema: { type: 'string', ...rest },
  example,
});
const count = (description: string, example: number): JsonObject => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

/** Headers of responses, by the name of their component. */
export const headers: Readonly<Record<string, JsonObject>> = {
  RequestId: {
    ...text('Name of the request, for support.', 'req_01K0G5Z7Q8', { pattern: '^req_' }),
    required: true,
  },
  RetryAfter: { ...count('Seconds to wait before the same request is sent again.', 1), required: true },
  RetryAfterMaybe: count('Seconds to wait, where the same request may succeed later.', 1),
  WwwAuthenticate: {
    ...text('How to authenticate; names the fault when the credential lacks scope.', 'Bearer'),
    required: true,
  },
  IdempotentReplayed: text(
    '`true` when this is the stored answer of an earlier request with the same Idempotency-Key.',
    'true',
    {
      enum: ['true'],
    },
  ),
  OriginalRequest: text('The request that did the work, when this is a stored answer.', 'req_01K0G5Z7Q8'),
  Location: {
    ...text('Path of what was created.', '/v1/group-payments/0198c0de-0000-7000-8000-000000000001'),
    required: true,
  },
  RateLimitLimit: count('Requests allowed at once.', 200),
  RateLimitRemaining: count('Requests left at this moment.', 199),
  RateLimitReset: count('Seconds until all of them are allowed again.', 1),
  Deprecation: text('When the end of the operation was announced, as seconds since 1970.', '@1893456000', {
    pattern: '^@[0-9]+$',
  }),
  Sunset: text('When the operation ends.', 'Wed, 01 Jan 2031 00:00:00 GMT'),
  RateLimitReason: text('Which limit was reached.', 'merchant'),
};

const use = (component: string): JsonObject => ({ $ref: `#/components/headers/${component}` });

const always = {
  'Request-Id': use('RequestId'),
  'RateLimit-Limit': use('RateLimitLimit'),
  'RateLimit-Remaining': use('RateLimitRemaining'),
  'RateLimit-Reset': use('RateLimitReset'),
};

/** The headers of a response. */
export function describeHeaders(o: {
  status: number;
  isIdempotent?: boolean;
  isDeprecated?: boolean;
  isLocated?: boolean;
  asksToWait?: 'always' | 'sometimes';
}): JsonObject {
  return {
    ...always,
    ...(o.isLocated && { Location: use('Location') }),
    ...(o.isIdempotent && {
      'Idempotent-Replayed': use('IdempotentReplayed'),
      'Original-Request': use('OriginalRequest'),
    }),
    ...(o.isDeprecated && { Deprecation: use('Deprecation'), Sunset: use('Sunset') }),
    ...([401, 403].includes(o.status) && { 'WWW-Authenticate': use('WwwAuthenticate') }),
    ...(o.asksToWait && {
      'Retry-After': use(o.asksToWait === 'always' ? 'RetryAfter' : 'RetryAfterMaybe'),
    }),
    ...(o.status === 429 && { 'RateLimit-Reason': use('RateLimitReason') }),
  };
}
