import type { Seal } from '@gp/seal';
import {
  currentTrace,
  httpClientSpan,
  metrics,
  setHttpStatus,
  span,
  stepSpan,
  type Logger,
} from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import type { Claim } from '../../db/claims.ts';
import type { DeliveryAttempt, EndedClaim } from '../../db/ended-claims.ts';
import { parseRetryAfter, type RetrySchedule } from '../../domain/retry-schedule.ts';
import {
  decideResult,
  decideResend,
  classifyResponse,
  OUTCOMES,
  type EndpointResponse,
  type DeliveryResult,
} from '../../domain/delivery-result.ts';
import { failAfter, failBefore } from '../../fail-points.ts';
import { errorClass } from '../../outbound/error-class.ts';
import type { Posted } from '../../outbound/exchange.ts';
import type { Poster } from '../../outbound/post.ts';
import { endpointIdentity } from '../../db/sealed-columns.ts';
import { redacted, signedHeaders } from './sign-delivery.ts';

export type AttemptedDelivery = {
  readonly ended: EndedClaim;
  /** Whether the endpoint answered; undefined when nothing was sent. */
  readonly answered: boolean | undefined;
};

/** How many bytes of a response the attempt log keeps. */
const LOGGED_BYTES = 16 * 1024;
/** A secret that cannot be opened is our fault: the delivery waits for an operator and loses no attempt. */
const UNSIGNED_WAIT_MS = 60_000;

const attempts = metrics.counter({
  name: 'gp_webhook_attempts_total',
  help: 'Requests sent to endpoints, by outcome',
  unit: 'attempts',
  labels: ['outcome'],
  zero: OUTCOMES.map((outcome) => ({ outcome })),
});
const duration = metrics.tracedHistogram({
  name: 'gp_webhook_attempt_duration_seconds',
  help: 'Time from the start of an attempt to the end of the answer',
  unit: 'seconds',
});

/** Sends a claimed delivery once and decides its result. Never rejects for anything a receiver does. */
export function attemptDelivery(o: {
  readonly poster: Poster;
  readonly seal: Seal;
  readonly schedule: RetrySchedule;
  readonly log: Logger;
}): (claim: Claim) => Promise<AttemptedDelivery> {
  return async (claim) => {
    const secrets = openSecrets(o, claim);
    if (secrets === undefined) return releaseUnsent(claim, UNSIGNED_WAIT_MS);
    const number = claim.tries + 1;
    const attributes = { endpoint_id: claim.endpoint_id, event_id: claim.event_id, attempt: number };
    const options = {
      root: true,
      attributes,
      links: [claim.traceparent ?? undefined],
    } as const;
    return span('webhook attempt', options, async (running) => {
      const payload = Buffer.from(claim.payload);
      const event = { id: claim.event_id, type: claim.type, isTest: claim.is_test, payload };
      const headers = signedHeaders(event, secrets, Date.now());
      failBefore('request');
      const posted = await postTraced(o.poster, claim.url, headers, payload);
      failAfter('request');
      const answer = toResponse(posted);
      const outcome = classifyResponse(answer);
      attempts.inc({ outcome });
      duration.observe({}, posted.timings.totalMs / 1_000);
      running.set({ outcome });
      if (answer.kind === 'none') running.fail(outcome);
      const verdict = claim.is_manual
        ? decideResend(answer)
        : decideResult(answer, claim.attempts + 1, { schedule: o.schedule, random: Math.random() });
      const attempt = toDeliveryAttempt(claim, { number, headers, posted, answer, outcome });
      return { ended: endClaim(claim, verdict, attempt), answered: answer.kind === 'answer' };
    });
  };
}

/** Sends inside a span that has the server of the merchant's address and nothing else of it. */
function postTraced(
  poster: Poster,
  url: string,
  headers: Record<string, string>,
  payload: Buffer,
): Promise<Posted> {
  const describe = () => httpClientSpan('POST', new URL(url), { isPathSecret: true });
  return stepSpan(describe, {}, async (running) => {
    const posted = await poster.post(url, headers, payload);
    if ('error' in posted.result) running.fail(errorClass(posted.result.error));
    else setHttpStatus(running, posted.result.status, 400);
    return posted;
  });
}

/** Ends a claim without an attempt. The delivery can be claimed again after `waitMs`. */
export function releaseUnsent(claim: Claim, waitMs: number): AttemptedDelivery {
  return { ended: { claim, status: 'pending', waitMs, attempt: null }, answered: undefined };
}

/** Opens the current secret and the retired ones whose overlap lasts, in this order; undefined when one does not open. */
function openSecrets(o: { seal: Seal; log: Logger }, claim: Claim): [string, ...string[]] | undefined {
  const open = (keyId: string, bytes: Buffer): string =>
    o.seal.open({ keyId, bytes }, endpointIdentity(claim.endpoint_id));
  try {
    const retired = (claim.retired_sealed ?? []).map((bytes, at) =>
      open(claim.retired_key_ids?.[at] ?? '', bytes),
    );
    return [open(claim.secret_key_id, claim.secret_sealed), ...retired];
  } catch (err) {
    const { endpoint_id, event_id, traceparent } = claim;
    o.log.error(
      { endpoint_id, event_id, traceparent: traceparent ?? undefined, err },
      'webhook cannot be signed: its secret does not open, is the encryption key configured?',
    );
    return undefined;
  }
}

function toResponse({ result }: Posted): EndpointResponse {
  if ('error' in result) return { kind: 'none', error: errorClass(result.error) };
  const retryAfterMs = parseRetryAfter(result.retryAfter, Date.now());
  return { kind: 'answer', status: result.status, retryAfterMs };
}

function endClaim(claim: Claim, verdict: DeliveryResult, attempt: DeliveryAttempt): EndedClaim {
  return {
    claim,
    status: verdict.status,
    waitMs: verdict.status === 'pending' ? verdict.waitMs : null,
    attempt,
  };
}

function toDeliveryAttempt(
  claim: Claim,
  a: {
    number: number;
    headers: Record<string, string>;
    posted: Posted;
    answer: EndpointResponse;
    outcome: string;
  },
): DeliveryAttempt {
  const { result, remoteAddress, timings } = a.posted;
  return {
    id: uuidv7(),
    number: a.number,
    isManual: claim.is_manual,
    url: claim.url,
    requestHeaders: redacted(a.headers),
    remoteAddress,
    timings: roundedMs(timings),
    errorClass: a.answer.kind === 'none' ? a.answer.error : null,
    httpStatus: a.answer.kind === 'answer' ? a.answer.status : null,
    responseBody: 'error' in result ? null : loggable(result.body),
    outcome: a.outcome,
    traceId: currentTrace()?.trace_id ?? null,
  };
}

/** Decodes a body to text that Postgres can store: invalid UTF-8 and zero bytes become replacement characters. */
function loggable(body: Buffer): string {
  return body.subarray(0, LOGGED_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}

function roundedMs(timings: object): object {
  return Object.fromEntries(
    Object.entries(timings as Record<string, number | null>).map(([name, ms]) => [
      name.replace(/Ms$/, '_ms').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ms === null ? null : Math.round(ms * 10) / 10,
    ]),
  );
}
