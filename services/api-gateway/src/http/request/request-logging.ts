import { publicApi, type Mode } from '@gp/contracts';
import type { Around, HttpOutcome } from '@gp/http';
import { uuidv7 } from 'uuidv7';
import type { RequestLog } from '../../app/request-logs/request-log.ts';
import { expressPath } from './paths.ts';

/** A larger body is not kept: it would fill the memory of what waits to be written. */
const MOST_BODY_BYTES = 16_384;

/** Operations whose requests are logged, by the path of their route; reading the log is none of them. */
const LOGGED: ReadonlyMap<string, string> = new Map(
  Object.values(publicApi.operations)
    .filter(({ tag }) => tag !== 'Request logs')
    .map(({ path }) => [expressPath(path), path]),
);

/** Logs each request for its merchant when it is answered; one whose merchant is not known is not logged. */
export function requestLogging({ note }: Pick<RequestLog, 'note'>): Around {
  return async (info, run) => {
    const id = uuidv7();
    const startedAt = performance.now();
    const outcome = await run();
    const { merchant_id: merchantId, mode, key_id: keyId = null } = info.notes;
    const route = LOGGED.get(info.route ?? '');
    if (merchantId === undefined || route === undefined) return outcome;
    note({
      id,
      merchantId,
      mode: mode as Mode,
      keyId,
      requestId: info.requestId,
      method: info.method,
      route,
      path: info.path,
      query: info.query,
      status: outcome.status,
      durationMs: performance.now() - startedAt,
      ...pick('requestBody', info.receivedBody()),
      ...pick('responseBody', readBody(outcome)),
    });
    return outcome;
  };
}

const readBody = ({ body }: HttpOutcome): Uint8Array | undefined =>
  body instanceof Uint8Array ? body : undefined;

const pick = <K extends string>(name: K, bytes: Uint8Array | undefined) =>
  bytes && bytes.length <= MOST_BODY_BYTES ? ({ [name]: bytes } as { [N in K]: Uint8Array }) : {};
