--! expand
-- What only a person can bring to its end; the same key is the same matter, which is open again when it comes up again.
create table operator_tasks (
  key         text collate "C" not null,
  code        text collate "C" not null,
  merchant_id text collate "C",
  mode        text collate "C",
  group_id    uuid,
  intent_id   uuid,
  details     jsonb not null default '{}',
  raised_at   timestamptz(3) not null default clock_timestamp(),
  times       integer not null default 1,
  resolved_at timestamptz(3),
  resolved_by text,
  resolution  text,
  constraint operator_tasks_have_one_row_per_matter primary key (key),
  constraint operator_tasks_mode_is_known check (mode in ('test', 'live')),
  constraint operator_tasks_are_resolved_by_somebody check ((resolved_at is null) = (resolved_by is null))
);
create index operator_tasks_open on operator_tasks (raised_at) where resolved_at is null;

-- What people did by hand, for the audit; append-only.
create table operator_actions (
  id       bigint generated always as identity,
  actor    text not null,
  action   text collate "C" not null,
  subject  text not null,
  details  jsonb not null default '{}',
  acted_at timestamptz(3) not null default clock_timestamp(),
  constraint operator_actions_have_one_row_per_id primary key (id)
);
