import { validationError } from '@gp/errors';
import type { HttpRequest, HttpResponse } from '@gp/http';
import type { Caller } from '../../app/callers/caller.ts';
import type { Act, OnceOnly } from '../../app/idempotency/once-only.ts';

const LONGEST_KEY = 255;
const HEADER = 'Idempotency-Key';

/** Answers a request whose body is valid, once per Idempotency-Key. `locate` finds the path of what a 201 created. */
export async function answerOnce(
  once: OnceOnly,
  o: { request: HttpRequest; caller: Caller; body: unknown; locate?: (created: unknown) => string },
  act: Act,
): Promise<HttpResponse> {
  const { method, path, requestId } = o.request;
  const key = readKey(o.request);
  const answer = await once({ caller: o.caller, key, method, path, body: o.body, requestId }, act);
  return {
    status: answer.status,
    body: Buffer.from(answer.text),
    contentType: 'application/json; charset=utf-8',
    headers: {
      ...(answer.replayOf !== undefined && {
        'Idempotent-Replayed': 'true',
        'Original-Request': answer.replayOf,
      }),
      ...(o.locate && answer.status === 201 && { Location: o.locate(JSON.parse(answer.text)) }),
    },
  };
}

/** Returns the Idempotency-Key of a request; throws `validation_error` for one that is empty, too long or given twice. */
export function readKey({ headersDistinct }: HttpRequest): string | undefined {
  const [text, ...others] = headersDistinct['idempotency-key'] ?? [];
  if (text === undefined) return undefined;
  if (others.length > 0) throw validationError(HEADER, 'must be given once');
  if (text === '') throw validationError(HEADER, 'must not be empty');
  if (text.length > LONGEST_KEY) throw validationError(HEADER, `must have at most ${LONGEST_KEY} characters`);
  return text;
}
