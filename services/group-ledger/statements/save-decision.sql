with guard as (
     update groups set state = $3, expired_at = $4, cancelled_at = $5,
                       capture_stopped_at = $6, version = $7,
                       sequence = $8, refund_number = $9, updated_at = $10,
                       expires_at = $24, group_name = coalesce($25, group_name),
                       metadata = case when $25::text is null then metadata else $26::jsonb end
     where id = $1 and version = $2
     returning id, merchant_id, mode
   ), slot_rows as (
     update slots s set state = r.state, assigned_customer_id = r.assigned_customer_id,
                        reserved_until = r.reserved_until, intent_id = r.intent_id, updated_at = $10
     from guard, jsonb_to_recordset($11::jsonb)
       as r (sequence_no smallint, state text, assigned_customer_id uuid, reserved_until timestamptz, intent_id uuid)
     where s.group_id = guard.id and s.sequence_no = r.sequence_no
   ), intent_rows as (
     insert into intents (group_id, id, customer_id, psp_code, credential_version, amount_minor, tip_minor, slot_ids, state,
                          unknown, winning_attempt_id, declines, renewals, capture_before, amount_captured, amount_refunded,
                          disputed, shown_name, superseded_by, requesters, failure, created_at, traceparent)
     select guard.id, r.*, $23 from guard, jsonb_to_recordset($12::jsonb)
       as r (id uuid, customer_id uuid, psp_code text, credential_version integer, amount_minor bigint, tip_minor bigint,
             slot_ids uuid[], state text, unknown boolean, winning_attempt_id uuid, declines smallint, renewals smallint,
             capture_before timestamptz, amount_captured bigint, amount_refunded bigint, disputed boolean,
             shown_name text, superseded_by uuid, requesters text[], failure jsonb, created_at timestamptz)
     on conflict (id) do update
       set state = excluded.state, unknown = excluded.unknown, winning_attempt_id = excluded.winning_attempt_id,
           declines = excluded.declines, renewals = excluded.renewals, capture_before = excluded.capture_before,
           amount_captured = excluded.amount_captured, amount_refunded = excluded.amount_refunded,
           disputed = excluded.disputed, shown_name = excluded.shown_name, superseded_by = excluded.superseded_by,
           failure = excluded.failure, slot_ids = excluded.slot_ids
   ), attempt_rows as (
     insert into attempts (group_id, id, intent_id, seq, state, amount_minor, amount_captured, amount_refunded,
                           capture_before, psp_reference, started_at)
     select guard.id, r.* from guard, jsonb_to_recordset($13::jsonb)
       as r (id uuid, intent_id uuid, seq smallint, state text, amount_minor bigint, amount_captured bigint,
             amount_refunded bigint, capture_before timestamptz, psp_reference text, started_at timestamptz)
     on conflict (id) do update
       set state = excluded.state, amount_minor = excluded.amount_minor, amount_captured = excluded.amount_captured,
           amount_refunded = excluded.amount_refunded, capture_before = excluded.capture_before,
           psp_reference = excluded.psp_reference
   ), order_rows as (
     insert into orders (group_id, id, kind, intent_id, attempt_id, operation_id, seq, state, requested_at,
                         unless_authorised, refund_id, refund_number, source, amount_minor, failure)
     select guard.id, r.* from guard, jsonb_to_recordset($14::jsonb)
       as r (id uuid, kind text, intent_id uuid, attempt_id uuid, operation_id uuid, seq smallint, state text,
             requested_at timestamptz, unless_authorised boolean, refund_id uuid, refund_number integer, source text,
             amount_minor bigint, failure jsonb)
     on conflict (id) do update
       set attempt_id = excluded.attempt_id, operation_id = excluded.operation_id, seq = excluded.seq,
           state = excluded.state, requested_at = excluded.requested_at,
           unless_authorised = excluded.unless_authorised, amount_minor = excluded.amount_minor,
           failure = excluded.failure
   ), posting_rows as (
     insert into postings (group_id, posted_at, id, entry_id, account, amount_minor, intent_id, attempt_id, transition_id)
     select guard.id, $10, r.* from guard, jsonb_to_recordset($15::jsonb)
       as r (id uuid, entry_id uuid, account text, amount_minor bigint, intent_id uuid, attempt_id uuid, transition_id uuid)
   ), transition_rows as (
     insert into transitions (group_id, actor, command_id, trace_id, decided_at, id, entity, entity_id, state_from,
                              state_to, trigger, group_version, failure, psp_reference)
     select guard.id, $20, $21, $22, $10, r.* from guard, jsonb_to_recordset($16::jsonb)
       as r (id uuid, entity text, entity_id uuid, state_from text, state_to text, trigger text, group_version bigint,
             failure jsonb, psp_reference text)
   ), event_rows as (
     insert into events (group_id, sequence, id, type, subject_id, group_version, occurred_at)
     select guard.id, r.*, $10 from guard, jsonb_to_recordset($17::jsonb)
       as r (sequence integer, id uuid, type text, subject_id uuid, group_version bigint)
   ), alert_rows as (
     insert into operator_tasks as t (group_id, merchant_id, mode, key, code, intent_id)
     select distinct on (r.key) guard.id, guard.merchant_id, guard.mode, r.*
     from guard, jsonb_to_recordset($18::jsonb) as r (key text, code text, intent_id uuid)
     on conflict (key) do update
  set times = t.times + 1, raised_at = case when t.resolved_at is null then t.raised_at else clock_timestamp() end,
      details = excluded.details, resolved_at = null, resolved_by = null, resolution = null
   ), inbox_row as (
     insert into inbox (consumer, message_id)
     select r.* from guard, jsonb_to_recordset($19::jsonb -> 'inbox') as r (consumer text, message_id text)
   ), command_row as (
     insert into commands (id, fingerprint, group_id, intent_id, refund_id)
     select decode(r.id, 'hex'), decode(r.fingerprint, 'hex'), guard.id, r.intent_id, r.refund_id
     from guard, jsonb_to_recordset($19::jsonb -> 'command')
       as r (id text, fingerprint text, intent_id uuid, refund_id uuid)
     on conflict (id) do update set intent_id = excluded.intent_id
       where commands.group_id = excluded.group_id and commands.fingerprint = excluded.fingerprint
   ), customer_row as (
     insert into customers (merchant_id, mode, created_at, updated_at, last_payment_at, id, email, name, time_zone)
     select guard.merchant_id, guard.mode, $10, $10, $10, r.*
     from guard, jsonb_to_recordset($19::jsonb -> 'customer') 
       as r (id uuid, email text, name text, time_zone text)
     on conflict (id) do update
       set last_payment_at = greatest(customers.created_at, customers.last_payment_at, excluded.last_payment_at),
           updated_at = clock_timestamp(),
           name = case when excluded.email = customers.email then coalesce(excluded.name, customers.name) end,
           time_zone =
             case when excluded.email = customers.email then coalesce(excluded.time_zone, customers.time_zone) end
   ), sent as (
     insert into outbox (id, subject, group_key, mode, payload, traceparent)
    select m.id, m.subject, m.group_key, m.mode, m.payload, m.traceparent
    from unnest($27::uuid[], $28::text[], $29::text[], $30::text[], $31::jsonb[], $32::text[])
      with ordinality as m (id, subject, group_key, mode, payload, traceparent, ordinal)
    where exists (select from guard)
    order by m.ordinal
   )
   select count(*) as written from guard
