--! expand
-- One row per (owner, key): the newest instruction about a timer, which is kept after it fired or was cancelled
-- so that an older message arriving late finds it and loses by its revision.
create table timers (
  owner       text        not null,
  key         text        not null,
  revision    bigint      not null,
  state       text        not null,
  kind        text,
  due_at      timestamptz,
  data        jsonb,
  merchant_id text        not null,
  mode        text        not null,
  settled_at  timestamptz,
  constraint timers_have_one_row_per_key primary key (owner, key),
  constraint timers_state_is_known check (state in ('armed', 'fired', 'cancelled')),
  constraint timers_mode_is_known check (mode in ('test', 'live')),
  constraint timers_armed_are_complete check (state <> 'armed' or (kind is not null and due_at is not null and data is not null))
) with (fillfactor = 85);

-- The due scan reads this and nothing else: it holds armed timers only.
create index timers_armed_by_due_at on timers (due_at) where state = 'armed';
create index timers_settled_by_age on timers (settled_at) where state <> 'armed';
