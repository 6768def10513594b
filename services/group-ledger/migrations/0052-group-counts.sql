--! expand
-- How many groups of a merchant were created on a day (of UTC) and are in a state: of the days before end_day, each group once.
create table group_counts (
  merchant_id text collate "C" not null,
  mode        text collate "C" not null,
  day         timestamptz(3) not null,
  state       text collate "C" not null,
  groups      bigint not null,
  constraint group_counts_have_one_row_per_day primary key (merchant_id, mode, day, state)
);
create table group_counts_end (
  is_only boolean not null default true,
  end_day timestamptz(3) not null,
  constraint group_counts_end_has_one_row primary key (is_only),
  constraint group_counts_end_has_no_second_row check (is_only)
);
insert into group_counts_end (end_day) values ('-infinity');
comment on table group_counts is 'never deleted';
comment on table group_counts_end is 'never deleted';

-- Groups whose day may have been counted and whose state changed since, until they are added to the counts.
create table group_count_changes (
  id          bigint generated always as identity,
  merchant_id text collate "C" not null,
  mode        text collate "C" not null,
  day         timestamptz(3) not null,
  from_state  text collate "C" not null,
  to_state    text collate "C" not null,
  constraint group_count_changes_have_one_row_per_id primary key (id)
);
create index group_count_changes_of_a_merchant on group_count_changes (merchant_id, mode, day);

create function note_group_count_change() returns trigger language plpgsql set search_path from current as $$
begin
  insert into group_count_changes (merchant_id, mode, day, from_state, to_state)
  values (new.merchant_id, new.mode, date_trunc('day', new.created_at, 'UTC'), old.state, new.state);
  return null;
end
$$;
-- Days are counted later than 24 hours after their end, so that no younger group is in the counts.
create trigger groups_note_changes_of_counts after update of state on groups for each row
  when (old.state <> new.state and old.created_at < clock_timestamp() - interval '24 hours')
  execute function note_group_count_change();
