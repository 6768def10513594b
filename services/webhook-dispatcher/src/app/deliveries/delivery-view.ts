import type { DeliveryAttemptView, DeliveryState, DeliveryView } from '@gp/contracts';
import type { AttemptRow, DeliveryRow } from '../../db/delivery-log.ts';

/** A delivery as merchants see it. One that waits to be resent shows its former status. */
export function deliveryView(row: DeliveryRow, attempts: readonly AttemptRow[]): DeliveryView {
  return {
    id: row.event_id,
    event_id: row.event_id,
    event_type: row.type,
    is_test_event: row.is_test,
    state: readLaneState(row.resend_from ?? row.status),
    resend_pending: row.resend_from !== null,
    attempt_count: row.tries,
    // While it is being sent its due time is only the end of a lease.
    next_attempt_at: row.status === 'pending' ? iso(row.due_at) : null,
    created_at: row.created_at.toISOString(),
    settled_at: iso(row.settled_at),
    attempts: attempts.map(attemptView),
  };
}

function readLaneState(status: string): DeliveryState {
  return status === 'sending' ? 'pending' : (status as DeliveryState);
}

function attemptView(row: AttemptRow): DeliveryAttemptView {
  const { id, number, url, request_headers, remote_address, timings, outcome } = row;
  return {
    id,
    number,
    trigger: row.is_manual ? 'manual' : 'automatic',
    ended_at: parseTime(id),
    url,
    request_headers,
    remote_address,
    timings,
    outcome,
    error_class: row.error_class,
    http_status: row.http_status,
    response_body: row.response_body,
    next_attempt_at: iso(row.next_attempt_at),
  };
}

/** A UUIDv7 begins with 48 bits of time; an attempt is given its id when it ends. */
function parseTime(id: string): string {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString();
}

function iso(instant: Date | null): string | null {
  return instant?.toISOString() ?? null;
}
