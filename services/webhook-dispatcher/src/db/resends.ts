import { statement, type Db, type Queryable } from '@gp/pg';

/**
 * Makes a delivery due now. One that had been tried keeps its former status, and returns to it when the resend is not
 * acknowledged. One that has not been tried yet, or was held, is attempted as the first of its schedule; one that is
 * being sent is left to its worker.
 */
const resend = statement<{ event_id: string }>(
  'webhooks.resend-delivery',
  `update deliveries
   set resend_from = case when status in ('delivered', 'failed') then status
                          when status = 'pending' and attempts > 0 then coalesce(resend_from, 'pending')
                          else resend_from end,
       resend_due_at = case when status = 'pending' and attempts > 0 and resend_from is null then due_at
                            else resend_due_at end,
       status = 'pending', due_at = least(due_at, clock_timestamp()), settled_at = null
   where endpoint_id = $1 and event_id = $2 and status in ('pending', 'delivered', 'failed', 'held')
   returning event_id`,
);

const wakeLane = statement(
  'webhooks.hasten-lane',
  `update lanes set due_at = least(due_at, clock_timestamp()) where endpoint_id = $1`,
);

/** The event of a test is its delivery's group of one: it waits for nothing and nothing waits for it. */
const insertTest = statement(
  'webhooks.insert-test-event',
  `with now as (select date_trunc('milliseconds', clock_timestamp()) as t), event as (
     insert into events (id, merchant_id, mode, type, group_id, sequence, payload, created_at, received_at, is_test)
     select $2, merchant_id, mode, $3, $2, 1, $4, $5, t, true from endpoints, now where id = $1
   )
   insert into deliveries (event_id, endpoint_id, group_id, sequence, status, due_at, created_at)
   select $2, $1, $2, 1, 'pending', t, t from now`,
);

/** Has a delivery attempted once more; whether there is one is for the caller to know. */
export function requestResend(db: Db, endpointId: string, eventId: string): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query(resend, [endpointId, eventId]);
    await tx.query(wakeLane, [endpointId]);
  });
}

export type TestEvent = {
  readonly id: string;
  readonly type: string;
  readonly payload: string;
  readonly createdAt: string;
};

/** Stores an event for this endpoint alone and its delivery. */
export function insertTestEvent(db: Db, endpointId: string, event: TestEvent): Promise<void> {
  return db.transaction(async (tx: Queryable) => {
    await tx.query(insertTest, [endpointId, event.id, event.type, event.payload, event.createdAt]);
    await tx.query(wakeLane, [endpointId]);
  });
}
