import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

const CLOCKS = 'clocks on their way';

/** Everything that is still owed to anybody, by name; nothing once the platform has come to rest. */
const OWED = `
  select 'groups ' || state as what, count(*)::int as many from group_ledger.groups
   where state in ('open', 'partially_preauthorised', 'preauthorised', 'capturing', 'refunding') group by state
  union all
  select 'payments ' || state, count(*)::int from group_ledger.intents
   where state in ('void_pending', 'capture_pending', 'refund_pending') or unknown group by state
  union all
  select 'orders ' || kind, count(*)::int from group_ledger.orders
   where state in ('started', 'waiting', 'unknown') group by kind
  union all
  select 'messages of the ledger', count(*)::int from group_ledger.outbox where sent_at is null
  union all
  select 'deliveries ' || status, count(*)::int from webhooks.deliveries
   where status in ('pending', 'sending') group by status
  union all
  select '${CLOCKS}', count(*)::int from scheduler.test_clocks where not is_settled
  union all
  select 'comparisons of books', count(*)::int from group_ledger.reconciliations
   where state in ('reading', 'settling')
  union all
  select 'events on their way', count(*)::int from group_ledger.events e
   where not exists (select from webhooks.events w where w.id = e.id)`;

/** How far all clocks have come: a clock is on its way for long while payments are compared that became due. */
const MOVED = `select coalesce(sum(ahead_ms), 0)::text as moved from scheduler.test_clocks`;

/** So many times the time without a change are the most that all changes together may take. */
const MOST_CHANGES = 12;

/**
 * Waits until nothing is owed any more, lets `hurry` move time on whenever all clocks stand, and rejects with what was left
 * over when neither what is owed nor a clock has changed for `withinMs`, or when the changes do not end. `hurry` resolves with
 * whether it moved the clocks: what became due then gets the whole time again.
 */
export async function comesToRest(
  database: Pick<pg.Client, 'query'>,
  o: { withinMs: number; hurry: () => Promise<boolean>; lookEveryMs?: number },
): Promise<void> {
  let [patientUntil, endlessAt, seen] = [0, 0, ''];
  const beginAnew = (): void => {
    patientUntil = Date.now() + o.withinMs;
    endlessAt = Date.now() + MOST_CHANGES * o.withinMs;
  };
  for (beginAnew(); ; await delay(o.lookEveryMs ?? 1_000)) {
    const { rows } = await database.query<{ what: string; many: number }>(OWED);
    const owed = rows.filter(({ many }) => many > 0);
    if (owed.length === 0) return;
    const state = JSON.stringify([owed, (await database.query(MOVED)).rows]);
    if (state !== seen) patientUntil = Date.now() + o.withinMs;
    seen = state;
    if (Date.now() > Math.min(patientUntil, endlessAt))
      throw new Error(`still owed: ${owed.map(({ what, many }) => `${many} ${what}`).join(', ')}`);
    const mayHurry = !owed.some(({ what }) => what === CLOCKS);
    if (mayHurry && (await o.hurry())) beginAnew();
  }
}
