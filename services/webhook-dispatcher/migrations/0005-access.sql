--! expand
-- What the dispatcher may do with its tables; the migrations grant it.
comment on table attempts is 'append-only';

-- Makes the partitions of the attempt log from the day before `today` to a week ahead, and drops those of days more than 30 days
-- before it. Only the owner may do either.
create function keep_attempt_days(today date) returns void
language plpgsql set search_path from current set lock_timeout = '2s' as $$
declare
  part text;
  day date;
begin
  -- Replicas take turns; the lock ends with the transaction.
  perform pg_advisory_xact_lock(hashtextextended('partitions:attempts', 0));
  for day in select generate_series(today - 1, today + 7, interval '1 day')::date loop
    part := 'attempts_p' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(quote_ident(part)) is not null;
    -- Attaching a table takes a weaker lock on the parent than creating one inside it: inserts go on.
    execute format('create table %I (like attempts including all excluding identity)', part);
    execute format('alter table attempts attach partition %I for values from (%L) to (%L)',
      part, first_uuid_of(day), first_uuid_of(day + 1));
  end loop;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'attempts'::regclass and c.relname ~ '^attempts_p\d{8}$'
      and c.relname < 'attempts_p' || to_char(today - 30, 'YYYYMMDD')
  loop
    execute format('drop table %I', part);
  end loop;
end
$$;

-- The smallest value of type uuid whose first 48 bits are the start of this day in UTC.
create function first_uuid_of(day date) returns uuid language sql immutable set search_path from current as $$
  select (lpad(to_hex(extract(epoch from day)::bigint * 1000), 12, '0') || repeat('0', 20))::uuid
$$;

-- The only way in which the dispatcher makes and drops partitions: the day is the database's, whoever asks.
create function keep_attempt_days() returns void
language sql security definer set search_path from current as $$
  select keep_attempt_days((clock_timestamp() at time zone 'UTC')::date)
$$;
