/**
 * Payments whose dispute is open or was lost, each with the time `d.at` at which the latest one began; the caller adds conditions.
 * Reads intents_disputed, which has few rows of all merchants.
 */
export const DISPUTES = `intents i join groups g on g.id = i.group_id
   cross join lateral (
     select coalesce(max(e.occurred_at), i.created_at) as at from events e
     where e.group_id = i.group_id and e.type = 'payment_intent.disputed' and e.subject_id = i.id
   ) d
   where i.disputed`;
