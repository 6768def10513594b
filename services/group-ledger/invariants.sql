-- What must be true of every group at any moment, as one query: each row it answers is a promise that is broken.
-- Run it with the search path on the ledger's schema. The numbers S1 to S10 are the promises the README lists.
with totals as (
  select g.id, g.state, g.merchant_id, g.mode, g.total_minor, g.sequence, g.refund_number,
         g.expired_at, g.cancelled_at, g.capture_stopped_at, g.capture_minimum_minor, g.capture_minimum_slots, g.max_tip_minor,
         s.*, i.*, o.*
  from groups g
  cross join lateral (
    select count(*) as slots, coalesce(sum(amount_minor), 0) as slots_minor,
           count(*) filter (where state in ('preauthorised', 'captured')) as held_slots,
           count(*) filter (where exists (
             select from orders o where o.intent_id = slots.intent_id and o.kind = 'capture')) as ordered_slots
    from slots where group_id = g.id
  ) s
  cross join lateral (
    select coalesce(sum(amount_captured), 0) as captured_minor, coalesce(sum(amount_refunded), 0) as refunded_minor,
           coalesce(sum(amount_captured - t.captured_minor), 0) as captured_for_slots_minor,
           coalesce(sum(least(t.captured_minor, amount_captured - amount_refunded)), 0) as kept_tips_minor,
           count(*) filter (where intents.state = 'captured') as captured_intents
    from intents
    -- A capture of less than the hold covers the slots first.
    cross join lateral (
      select least(greatest(amount_captured - (amount_minor - tip_minor), 0), tip_minor) as captured_minor
    ) t
    where group_id = g.id
  ) i
  cross join lateral (
    select count(*) filter (where kind = 'capture') as captures,
           count(*) filter (where kind = 'capture' and orders.state = 'captured') as captures_done,
           count(*) filter (where kind = 'capture' and orders.state = 'failed') as captures_failed,
           count(*) filter (where kind = 'capture' and orders.state in ('started', 'waiting', 'unknown')) as captures_open,
           count(*) filter (where kind = 'refund' and orders.state in ('started', 'waiting', 'unknown')) as refunds_open,
           count(*) filter (where kind = 'refund' and orders.state = 'refunded'
                              and orders.refund_number = g.refund_number) as newest_refunds_done
    from orders where group_id = g.id
  ) o
), derived as (
  select *, case
    when cancelled_at is not null then 'cancelled'
    when expired_at is not null and captures = 0 then 'expired'
    when captures = 0 and held_slots = 0 then 'open'
    when captures = 0 and held_slots = slots then 'preauthorised'
    when captures = 0 then 'partially_preauthorised'
    when refunds_open > 0 or (capture_stopped_at is not null and captures_open > 0) then 'refunding'
    when refund_number > 0 and captured_intents = 0 then 'refunded'
    when refund_number > 0 and newest_refunds_done = 0 then 'refund_failed'
    when refund_number > 0 then 'partially_refunded'
    when captures_done = captures and ordered_slots = slots then 'paid'
    when captures_done > 0 or captured_intents > 0 then 'partially_paid'
    when captures_failed = captures then 'capture_failed'
    else 'capturing'
  end as derived_state
  from totals
), holding as (
  select * from intents where state in ('preauthorised', 'capture_pending', 'captured', 'refund_pending')
), winners as (
  select i.*, a.amount_minor as held_minor, a.amount_captured as outside_minor from intents i join attempts a on a.id = i.winning_attempt_id
), late as (
  -- Types that older releases did not emit. Where such a release ran, set this to when its last process ended.
  select array['group_payment.expired', 'group_payment.cancelled', 'group_payment.capture_failed',
               'group_payment.refund_failed', 'payment_intent.released', 'payment_intent.disputed',
               'payment_intent.dispute_closed'] as types,
         coalesce(nullif(current_setting('group_ledger.ends_announced_since', true), ''), '-infinity')::timestamptz as since
), owing as (
  -- Each transition that owes an event.
  select group_id, entity_id as subject_id, 'group_payment.' || state_to as type, decided_at as at
  from transitions
  where entity = 'group' and state_to in ('partially_paid', 'paid', 'partially_refunded', 'refunded',
                                          'expired', 'cancelled', 'capture_failed', 'refund_failed')
  union all
  select group_id, entity_id,
         case when state_to = 'capture_failed' then 'payment_intent.failed' else 'payment_intent.' || state_to end, decided_at
  from transitions
  where entity = 'intent' and (state_to in ('preauthorised', 'failed', 'capture_failed')
                               or trigger in ('confirm_capture', 'mirror_capture', 'confirm_refund', 'mirror_refund'))
  union all
  -- A hold that ended without a capture, unless its payment still had another one.
  select t.group_id, a.intent_id, 'payment_intent.released', t.decided_at
  from transitions t join attempts a on a.id = t.entity_id
  where t.entity = 'attempt' and t.state_from = 'authorised' and t.trigger <> 'reverse'
    and not exists (
      select from attempts b
      where b.intent_id = a.intent_id and b.id <> a.id
        and (select u.state_to from transitions u
             where u.group_id = t.group_id and u.entity_id = b.id and u.group_version < t.group_version
             order by u.group_version desc limit 1) = 'authorised')
  union all
  -- A dispute has no transition, and may have ended: the open ones owe at least one event.
  select group_id, id, 'payment_intent.disputed', '-infinity' from intents where disputed
), summed as (
  -- The postings before the end of their sums, by what they are summed by.
  select g.merchant_id, g.mode, date_bin('15 minutes', p.posted_at, timestamptz '2000-01-01T00:00:00Z') as quarter,
         i.psp_code, g.currency, sum(p.amount_minor) filter (where p.account = 'group:held') as held,
         sum(p.amount_minor) filter (where p.account in ('merchant:captured', 'merchant:tips')) as captured,
         sum(p.amount_minor) filter (where p.account = 'merchant:tips') as tips,
         sum(p.amount_minor) filter (where p.account = 'payer:refunded') as refunded,
         sum(abs(p.amount_minor) * case p.account when 'merchant:tips' then 2 else 1 end) as moved
  from postings p join groups g on g.id = p.group_id join intents i on i.id = p.intent_id
  where p.account <> 'payer:authorised' and p.id < (select end_id from posting_sums_end)
  group by 1, 2, 3, 4, 5
), counted as (
  -- The groups of the days that were counted.
  select merchant_id, mode, date_trunc('day', created_at, 'UTC') as day, state, count(*) as groups from groups
  where created_at < (select end_day from group_counts_end) group by 1, 2, 3, 4
), counts as (
  select merchant_id, mode, day, state, sum(groups) as groups from (
    select merchant_id, mode, day, state, groups from group_counts
    union all
    select merchant_id, mode, day, state, change from group_count_changes
    cross join lateral (values (from_state, -1), (to_state, 1)) as changes (state, change)
    where day < (select end_day from group_counts_end)
  ) parts group by 1, 2, 3, 4 having sum(groups) <> 0
), owed as (
  -- How often each type of event is owed for each subject.
  select group_id, subject_id, type, count(*) as times from owing, late
  where type <> all (types) or at >= since group by 1, 2, 3
), told as (
  select group_id, subject_id, type, count(*) as times from events, late
  where type <> all (types) or occurred_at >= since group by 1, 2, 3
)
select 'S1 a slot has at most one live hold' as promise, a.group_id, a.id::text || ' and ' || b.id::text as detail
from holding a join holding b on a.group_id = b.group_id and a.id < b.id and a.slot_ids && b.slot_ids
union all
select 'S1 a taken slot belongs to the live payment that covers it', s.group_id, s.id::text
from slots s left join intents i on i.id = s.intent_id and i.group_id = s.group_id and s.id = any (i.slot_ids)
where (s.state = 'assigned' and i.state is distinct from 'created' and i.state is distinct from 'processing')
   or (s.state = 'preauthorised' and i.state is distinct from 'preauthorised' and i.state is distinct from 'capture_pending')
   or (s.state = 'captured' and i.state is distinct from 'captured' and i.state is distinct from 'refund_pending')
   or (s.state = 'refunded' and i.state is distinct from 'refunded')
union all
select 'S1 all slots of a payment move together', h.group_id, h.id::text
from holding h
where exists (
  select from slots s
  where s.group_id = h.group_id and s.id = any (h.slot_ids)
    and (s.intent_id is distinct from h.id
         or s.state <> case when h.state in ('captured', 'refund_pending') then 'captured' else 'preauthorised' end))
union all
select 'S2 the slots add up to the total', id, slots_minor || ' of ' || total_minor from totals where slots_minor <> total_minor
union all
select 'S2 no more than the total is captured for the slots', id, captured_for_slots_minor::text from totals
where captured_for_slots_minor > total_minor
union all
select 'S2 a payment is for its slots and its tip', i.group_id, i.id::text
from intents i
where i.amount_minor - i.tip_minor <> (
  select coalesce(sum(s.amount_minor), 0) from slots s where s.group_id = i.group_id and s.id = any (i.slot_ids))
union all
select 'S2 no tip is larger than its group allows', t.id, i.id::text
from intents i join totals t on t.id = i.group_id
where i.tip_minor < 0 or i.tip_minor > coalesce(t.max_tip_minor, 0)
union all
select 'S2 no more than its hold is captured of a payment', group_id, id::text from winners where amount_captured > held_minor
union all
select 'S2 no more than its capture is refunded of a payment', group_id, id::text from intents where amount_refunded > amount_captured
union all
select 'S2 outside the slots no more than its hold is captured, and no more than that refunded', group_id, id::text from attempts
where amount_captured > coalesce(amount_minor, 0) or amount_refunded > amount_captured
union all
select 'S2 a charge that counts is not booked outside the slots as well', group_id, id::text from winners
where outside_minor > 0
union all
select 'S3 nothing is captured after the end', id, state from totals
where captures > 0
  and (cancelled_at is not null
       or expired_at is not null and num_nonnulls(capture_minimum_minor, capture_minimum_slots) = 0)
union all
select 'S3 at the end no less is captured than the minimum', t.id, c.minor || ' in ' || c.slots
from totals t
cross join lateral (
  select sum(i.amount_minor - i.tip_minor) as minor, sum(cardinality(i.slot_ids)) as slots
  from orders o join intents i on i.id = o.intent_id
  where o.group_id = t.id and o.kind = 'capture'
) c
where t.captures > 0 and t.expired_at is not null
  and (c.minor < t.capture_minimum_minor or c.slots < t.capture_minimum_slots)
union all
select 'S4 every hold is counted or being released', a.group_id, a.id::text
from attempts a join intents i on i.id = a.intent_id
where a.state = 'authorised' and a.amount_captured = 0
  and not (i.winning_attempt_id = a.id
           and i.state in ('preauthorised', 'capture_pending', 'captured', 'refund_pending', 'refunded', 'capture_failed'))
  and not exists (
    select from orders o where o.attempt_id = a.id and o.kind = 'void' and o.state in ('started', 'waiting', 'unknown', 'refused'))
union all
select 'S4 no hold outlives its group uncounted', i.group_id, i.id::text
from intents i join totals t on t.id = i.group_id
where i.state = 'preauthorised' and (t.expired_at is not null or t.cancelled_at is not null)
union all
select 'S5 the state of a group follows from its parts', id, state || ' instead of ' || derived_state from derived
where state <> derived_state
union all
select 'S6 paid means money that a gateway confirmed', id, state from totals
where state in ('partially_paid', 'paid') and captured_minor = 0
union all
select 'S7 one effect at the gateway for a payment and operation', (o.payload ->> 'group_id')::uuid, o.payload ->> 'attempt_id'
from outbox o where o.subject like 'cmd.%.payment.%'
group by o.payload ->> 'group_id', o.payload ->> 'attempt_id', o.payload ->> 'operation', o.payload ->> 'seq'
having count(distinct o.payload ->> 'operation_id') > 1
union all
select 'S8 the postings of an entry sum to zero', group_id, entry_id::text from postings
group by group_id, entry_id having sum(amount_minor) <> 0
union all
select 'S8 the account of holds is what is held', t.id, b.held || ' booked, ' || h.held || ' held'
from totals t
cross join lateral (
  select coalesce(sum(amount_minor), 0) as held from postings where group_id = t.id and account = 'group:held'
) b
cross join lateral (
  select coalesce(sum(a.amount_minor), 0) as held from attempts a join intents i on i.id = a.intent_id
  where a.group_id = t.id and a.state = 'authorised' and a.amount_captured = 0
    and not (a.id = i.winning_attempt_id and i.amount_captured > 0)
) h
where b.held <> h.held
union all
select 'S8 the account of the merchant is what was captured', t.id, p.minor || ' booked'
from totals t
cross join lateral (
  select coalesce(sum(amount_minor), 0) as minor from postings where group_id = t.id and account in ('merchant:captured', 'merchant:tips')
) p
cross join lateral (
  select coalesce(sum(amount_captured - amount_refunded), 0) as minor from attempts where group_id = t.id
) outside
where p.minor <> t.captured_minor - t.refunded_minor + outside.minor
union all
select 'S8 the account of tips is what the merchant has of them', t.id, p.minor || ' booked, ' || t.kept_tips_minor || ' captured'
from totals t
cross join lateral (
  select coalesce(sum(amount_minor), 0) as minor from postings where group_id = t.id and account = 'merchant:tips'
) p
where p.minor <> t.kept_tips_minor
union all
select 'S8 the sums of postings are those of the postings', null, merchant_id || ' ' || quarter
from summed p full join posting_sums s using (merchant_id, mode, quarter, psp_code, currency)
where (coalesce(p.held, 0), coalesce(p.captured, 0), coalesce(p.refunded, 0), coalesce(p.tips, 0), p.moved)
  is distinct from (s.held_in - s.held_out, s.captured_in - s.captured_out, s.refunded_in - s.refunded_out, s.tips_in - s.tips_out,
                    s.held_in + s.held_out + s.captured_in + s.captured_out + s.refunded_in + s.refunded_out + s.tips_in + s.tips_out)
union all
select 'S8 the movements are the entries of the postings', coalesce(e.group_id, m.group_id), coalesce(e.id, m.id)::text
from (
  select p.group_id, p.id, p.posted_at, p.intent_id, p.amount_minor from postings p
  where p.amount_minor > 0 and p.id < (select end_id from movements_end)
) e full join movements m using (id)
left join groups g on g.id = e.group_id
where (e.group_id, e.posted_at, e.intent_id, e.amount_minor, g.merchant_id, g.mode)
  is distinct from (m.group_id, m.at, m.intent_id, m.amount_minor, m.merchant_id, m.mode)
union all
select 'S5 the counts of groups are those of the groups', null, merchant_id || ' ' || day || ' ' || state
from counted c full join counts n using (merchant_id, mode, day, state)
where c.groups is distinct from n.groups
union all
select 'S9 test and live never mix', t.id, c.id::text
from intents i join totals t on t.id = i.group_id join customers c on c.id = i.customer_id
where (c.mode, c.merchant_id) is distinct from (t.mode, t.merchant_id)
union all
select 'S9 a message keeps the mode and merchant of its group', t.id, o.id::text
from outbox o join totals t on t.id::text = o.group_key
where o.mode <> t.mode or o.payload ->> 'mode' <> t.mode or o.payload ->> 'merchant_id' <> t.merchant_id
union all
select 'S10 events are numbered without a gap', t.id, count(e.sequence)::text
from totals t left join events e on e.group_id = t.id
group by t.id, t.sequence
having count(e.sequence) <> t.sequence or coalesce(max(e.sequence), 0) <> t.sequence
union all
select 'S10 every transition has the event it owes', coalesce(w.group_id, d.group_id), coalesce(w.type, d.type)
from owed w full join told d using (group_id, subject_id, type)
-- A hold that arrives for a payment that failed before is refused with one more event and no transition; an update has none.
where case when type in ('payment_intent.failed', 'payment_intent.disputed', 'payment_intent.dispute_closed', 'group_payment.updated')
           then coalesce(d.times, 0) < coalesce(w.times, 0)
           else coalesce(d.times, 0) <> coalesce(w.times, 0) end
union all
select 'S10 every event is told under its own id, once', e.group_id, e.id::text
from events e left join outbox o on o.id = e.id
group by e.group_id, e.id, e.type
having count(o.id) <> 1 or bool_or(o.subject <> 'evt.ledger.' || e.type || '.v1.' || e.group_id)
