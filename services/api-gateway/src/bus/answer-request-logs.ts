import { fitting, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { RpcContract } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { toFilter } from '../app/request-logs/request-log.filter.ts';
import { readInstant, toBodies, toItem } from '../app/request-logs/request-log.view.ts';
import type { RequestLogs } from '../app/request-logs/request-logs.ts';

/** The part of the service frame that is needed here. */
type Serving = {
  serve<Req, Res>(bus: Bus, contract: RpcContract<Req, Res>, handler: (request: Req) => Promise<Res>): void;
};

/** Serves the log of requests to the dashboard, whose members read it without a key. */
export function answerRequestLogs(service: Serving, bus: Bus, logs: RequestLogs): void {
  service.serve(bus, contracts.listRequestLogs, async (request) => {
    const { merchant_id, mode, limit, after, ...filter } = request;
    const { rows, next } = await logs.list({
      merchantId: merchant_id,
      mode,
      limit,
      // Ids are compared as text.
      before: after?.id.toLowerCase() ?? null,
      ...toFilter(filter),
    });
    const items = rows.map(toItem);
    // A path may be long, and a message takes 1 MB.
    const request_logs = fitting(items);
    const last = request_logs.length < items.length ? request_logs.at(-1)?.id : next;
    return { request_logs, next: last ? { created_at: readInstant(last), id: last } : null };
  });
  service.serve(bus, contracts.findRequestLog, async ({ id, merchant_id, mode }) => {
    const found = await logs.find({ id, merchantId: merchant_id, mode });
    if (!found) throw notFound('request log');
    return { ...toItem(found), ...toBodies(found) };
  });
}
