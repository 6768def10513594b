import { AppError } from '@gp/errors';
import type { HttpOutcome, HttpResponse } from '@gp/http';
import type { Reply } from '../app/play-call.ts';
import type { Answer } from '../app/ports.ts';
import { hangUp } from './exchange.ts';
import { Refused } from './refused.ts';

/**
 * Converts a gateway's decision to HTTP. Errors have the gateway's own format: its refusals as they are,
 * unavailable books as 503, and anything else as the gateway's 500, with the cause in our log.
 */
export async function answering(
  broken: () => Answer,
  decide: () => Promise<Reply | HttpResponse>,
): Promise<HttpResponse> {
  try {
    const decided = await decide();
    return 'kind' in decided ? buildResponse(decided) : decided;
  } catch (cause) {
    if (cause instanceof Refused) return toHttpResponse(cause.answer);
    const isAway =
      cause instanceof AppError && (cause.code === 'service_unavailable' || cause.code === 'conflict');
    const outcome: HttpOutcome = { ...toHttpResponse(broken()), ...(isAway && { status: 503 }), cause };
    return outcome;
  }
}

function buildResponse(reply: Reply): HttpResponse {
  if (reply.kind === 'hang_up') return hangUp();
  const response = toHttpResponse(reply.answer);
  return reply.kind === 'damaged' ? damaged(response) : response;
}

function toHttpResponse({ status, body, headers }: Answer): HttpResponse {
  const contentType = headers?.['Content-Type'];
  return {
    status,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(contentType && { contentType }),
  };
}

/** Returns the first half of the response, with a matching length: complete on the wire, but not JSON. */
function damaged(response: HttpResponse): HttpResponse {
  const whole = JSON.stringify(response.body ?? { ok: true });
  const half = Buffer.from(whole.slice(0, Math.ceil(whole.length / 2)));
  return { ...response, body: half, contentType: 'application/json; charset=utf-8' };
}
