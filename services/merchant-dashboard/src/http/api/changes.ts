/**
 * GET /api/{mode}/changes is a stream of server-sent events: `ready` first, then `changed` for what has changed, `missed`
 * when all may have changed, `heartbeat` every 20 s without another event, and `end` when the session is over. They name
 * what changed, and never what it is now.
 */
export type ReadyEvent = {
  /** For how long before nothing has changed, ms. */
  readonly quiet_ms: number;
};
export type ChangedEvent = {
  /** Ids of the group payments that have changed or are new. */
  readonly group_payments: readonly string[];
};
