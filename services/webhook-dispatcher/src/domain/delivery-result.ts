import { computeWait, type RetrySchedule } from './retry-schedule.ts';

const TRANSPORT_ERRORS = [
  'address_blocked',
  'dns',
  'connect',
  'connect_timeout',
  'tls',
  'reset',
  'timeout',
  'protocol',
] as const;
/** Why there was no response. */
export type TransportError = (typeof TRANSPORT_ERRORS)[number];

/** The response to one attempt. It counts once its body has ended or reached the limit that we read. */
export type EndpointResponse =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfterMs?: number | undefined }
  | { readonly kind: 'none'; readonly error: TransportError };

/** The state of the delivery after an attempt; `waitMs` counts from the moment at which it is recorded. */
export type DeliveryResult =
  | { readonly status: 'delivered' | 'failed' | 'resumed' }
  | { readonly status: 'pending'; readonly waitMs: number };

/** Decides the result of the n-th attempt: any 2xx delivers, everything else waits for the next step of the retry schedule. */
export function decideResult(
  answer: EndpointResponse,
  attempt: number,
  o: { readonly schedule: RetrySchedule; readonly random: number },
): DeliveryResult {
  if (isAcknowledged(answer)) return { status: 'delivered' };
  const retryAfterMs = answer.kind === 'answer' ? answer.retryAfterMs : undefined;
  const waitMs = computeWait(o.schedule, attempt, { random: o.random, retryAfterMs });
  return waitMs === undefined ? { status: 'failed' } : { status: 'pending', waitMs };
}

/**
 * Decides the result of a resend that a merchant requested: a 2xx delivers, everything else leaves the delivery
 * unchanged.
 */
export function decideResend(answer: EndpointResponse): DeliveryResult {
  return { status: isAcknowledged(answer) ? 'delivered' : 'resumed' };
}

export function isAcknowledged(answer: EndpointResponse): boolean {
  return answer.kind === 'answer' && answer.status >= 200 && answer.status < 300;
}

/** The values of `classifyResponse` that a metric starts with at zero. */
export const OUTCOMES = [
  'acknowledged',
  'redirect',
  'status_4xx',
  'status_5xx',
  ...TRANSPORT_ERRORS,
] as const;

/** Classifies a response for metrics and the attempt log: `acknowledged`, `redirect`, `status_4xx` … or the transport error. */
export function classifyResponse(answer: EndpointResponse): string {
  if (answer.kind === 'none') return answer.error;
  if (isAcknowledged(answer)) return 'acknowledged';
  const hundred = Math.floor(answer.status / 100);
  return hundred === 3 ? 'redirect' : `status_${hundred}xx`;
}
