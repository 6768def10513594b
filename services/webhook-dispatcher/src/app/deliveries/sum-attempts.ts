import type { sumAttempts as contract, RequestOf, ResponseOf } from '@gp/contracts';
import type { Queryable } from '@gp/pg';
import { findEndpointHealth, sumByDay } from '../../db/health.ts';

type Sum = (request: RequestOf<typeof contract>) => Promise<ResponseOf<typeof contract>>;

const DAY_MS = 86_400_000;

/** How a merchant's endpoints have been answering. Requests are counted in real time: no test clock moves them. */
export function sumAttempts(db: Queryable): Sum {
  return async ({ days: span, ...scope }) => {
    const nowMs = Date.now();
    const since = new Date((Math.floor(nowMs / DAY_MS) - span + 1) * DAY_MS);
    const [days, endpoints] = await Promise.all([
      sumByDay(db, scope, since),
      findEndpointHealth(db, scope, new Date(nowMs - DAY_MS)),
    ]);
    return {
      now: new Date(nowMs).toISOString(),
      days: days.map(({ day, acknowledged, failed }) => ({
        day,
        acknowledged: Number(acknowledged),
        failed: Number(failed),
      })),
      endpoints: endpoints.map(({ endpoint_id, ...counts }) => ({
        endpoint_id,
        acknowledged: Number(counts.acknowledged),
        failed: Number(counts.failed),
        pending: Number(counts.pending),
        held: Number(counts.held),
        last_acknowledged_at: counts.last_acknowledged_at?.toISOString() ?? null,
        failing_since: counts.failing_since?.toISOString() ?? null,
        last_http_status: counts.last_http_status,
        last_error_class: counts.last_error_class,
        next_attempt_at: counts.next_attempt_at?.toISOString() ?? null,
      })),
    };
  };
}
