import { fitting } from '@gp/bus';
import type { DeliveryState, listGroupDeliveries as contract, RequestOf, ResponseOf } from '@gp/contracts';
import type { Queryable } from '@gp/pg';
import { listOfGroup, type GroupDeliveryRow } from '../../db/health.ts';

type List = (request: RequestOf<typeof contract>) => Promise<ResponseOf<typeof contract>>;

/** Where a group's events went; empty for a group of another merchant or mode. */
export function listGroupDeliveries(db: Queryable): List {
  return async ({ group_payment_id, ...scope }) => ({
    deliveries: fitting((await listOfGroup(db, scope, group_payment_id)).map(view)),
  });
}

function view({ status, tries, due_at, traceparent, ...row }: GroupDeliveryRow) {
  return {
    ...row,
    state: (status === 'sending' ? 'pending' : status) as DeliveryState,
    attempts: tries,
    next_attempt_at: due_at?.toISOString() ?? null,
    trace_id: traceparent?.split('-')[1] ?? null,
    created_at: row.created_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
  };
}
