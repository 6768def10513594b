import type { inspectGroup, ResponseOf } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

type Whole = ResponseOf<typeof inspectGroup>;

// The tokens give access to the pages of payers and of the organiser. To understand a group an operator needs neither, nor the
// name of a payer.
const whole = statement<{ whole: Whole }>(
  'ledger.inspect-group',
  `select jsonb_build_object(
     'group', to_jsonb(g) - '{page_token,organiser_token}'::text[],
     'slots', (select coalesce(jsonb_agg(to_jsonb(s) - 'group_id' order by s.sequence_no), '[]')
               from slots s where s.group_id = g.id),
     'intents', (select coalesce(jsonb_agg(to_jsonb(i) - '{group_id,shown_name}'::text[] order by i.id), '[]')
                 from intents i where i.group_id = g.id),
     'attempts', (select coalesce(jsonb_agg(to_jsonb(a) - 'group_id' order by a.started_at, a.id), '[]')
                  from attempts a where a.group_id = g.id),
     'orders', (select coalesce(jsonb_agg(to_jsonb(o) - 'group_id' order by o.requested_at, o.id), '[]')
                from orders o where o.group_id = g.id),
     'transitions', (select coalesce(jsonb_agg(to_jsonb(t) - 'group_id' order by t.group_version, t.id), '[]')
                     from transitions t where t.group_id = g.id),
     'postings', (select coalesce(jsonb_agg(to_jsonb(p) - 'group_id' order by p.posted_at, p.id), '[]')
                  from postings p where p.group_id = g.id),
     'events', (select coalesce(jsonb_agg(to_jsonb(e) - 'group_id' order by e.sequence), '[]')
                from events e where e.group_id = g.id),
     'tasks', (select coalesce(jsonb_agg(to_jsonb(k) order by k.raised_at), '[]')
               from operator_tasks k where k.group_id = g.id)
   ) as whole
   from groups g where g.id = $1`,
);
const groupOfIntent = statement<{ group_id: string }>(
  'ledger.group-holding-intent',
  'select group_id from intents where id = $1',
);

export async function readGroupWhole(q: Queryable, groupId: string): Promise<Whole | undefined> {
  return (await q.query(whole, [groupId]))[0]?.whole;
}

/** The group of an intent of any merchant: for operators only. */
export async function findGroupHolding(q: Queryable, intentId: string): Promise<string | undefined> {
  return (await q.query(groupOfIntent, [intentId]))[0]?.group_id;
}
