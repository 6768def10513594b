with incoming as (
     select i.*, (statement_timestamp() + coalesce((select clock.ahead from test_clocks clock where clock.merchant_id = i.merchant_id and i.mode = 'test'), interval '0'))::timestamptz(3) as made_at
     from unnest($1::bytea[], $2::bytea[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
                          $8::bigint[], $9::text[], $10::jsonb[], $11::text[], $12::timestamptz[], $22::text[], $23::text[],
                          $25::text[], $26::jsonb[], $27::bigint[], $28::smallint[],
                          $29::bigint[])
       as i (command_id, fingerprint, id, merchant_id, mode, group_name, merchant_order_id,
             total_minor, currency, metadata, page_token, expires_at, traceparent, client_reference, organiser_token,
             organiser_rights, capture_minimum_minor, capture_minimum_slots, max_tip_minor)
   ), fresh as (
     insert into commands (id, fingerprint, group_id, created_at)
     select command_id, fingerprint, id, statement_timestamp() from incoming
     where expires_at > made_at and expires_at <= made_at + interval '168 hours'
     order by command_id
     on conflict do nothing
     returning group_id
   ), claimed as (
     select f.group_id, i.made_at as created_at from fresh f join incoming i on i.id = f.group_id
   ), made as (
     insert into groups (id, merchant_id, mode, group_name, merchant_order_id, total_minor, currency, state, metadata,
                         page_token, expires_at, version, sequence, refund_number, created_at, updated_at,
                         traceparent, client_reference, organiser_token, organiser_rights,
                         capture_minimum_minor, capture_minimum_slots, max_tip_minor)
     select i.id, i.merchant_id, i.mode, i.group_name, i.merchant_order_id, i.total_minor, i.currency, 'open',
            i.metadata, i.page_token, i.expires_at, 1, 0, 0, c.created_at, c.created_at, i.traceparent,
            i.client_reference, i.organiser_token, i.organiser_rights, i.capture_minimum_minor, i.capture_minimum_slots,
            i.max_tip_minor
     from incoming i join claimed c on c.group_id = i.id
   ), slotted as (
     insert into slots (group_id, sequence_no, id, amount_minor, state, metadata, label, updated_at)
     select s.group_id, s.sequence_no, s.id, s.amount_minor, 'unassigned', s.metadata, s.label, c.created_at
     from unnest($13::uuid[], $14::smallint[], $15::uuid[], $16::bigint[], $17::jsonb[], $24::text[])
       as s (group_id, sequence_no, id, amount_minor, metadata, label)
     join claimed c on c.group_id = s.group_id
   ), sent as (
     insert into outbox (id, subject, group_key, mode, payload)
     select ids.id, 'cmd.scheduler.timers.change.v1', min(t.group_id::text), ids.mode,
            jsonb_build_object('instructions', jsonb_agg(t.instruction))
     from unnest($18::uuid[], $19::jsonb[]) as t (group_id, instruction)
     join claimed c on c.group_id = t.group_id
     join (values ('test', $20::uuid), ('live', $21::uuid)) as ids (mode, id) on ids.mode = t.instruction ->> 'mode'
     group by ids.mode, ids.id
   )
   select group_id, created_at from claimed
