--! expand
-- Comparisons of our postings with a gateway's books, one merchant, mode and gateway at a time. The row is the job:
-- its cursor says how far it has come, `due_at` when it may go on, and a copy of the ledger that works on it moves
-- `due_at` ahead, so that another takes over what a dead one left.
create table reconciliations (
  id           uuid not null,
  merchant_id  text collate "C" not null,
  mode         text collate "C" not null,
  psp_code     text collate "C" not null,
  state        text collate "C" not null,
  requested_by text not null,
  started_at   timestamptz(3) not null default clock_timestamp(),
  finished_at  timestamptz(3),
  -- The last group looked at.
  cursor_at    timestamptz(3) not null,
  cursor_id    uuid not null,
  looks        smallint not null default 0,
  failures     smallint not null default 0,
  -- Cut, not rounded: a row that is due now must not be due half a millisecond later.
  due_at       timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  payments     integer not null default 0,
  agreed       integer not null default 0,
  unanswered   integer not null default 0,
  sums         jsonb not null default '{}',
  constraint reconciliations_have_one_row_per_id primary key (id),
  constraint reconciliations_mode_is_known check (mode in ('test', 'live')),
  constraint reconciliations_state_is_known check (state in ('reading', 'settling', 'done', 'failed')),
  constraint reconciliations_end_once check ((finished_at is null) = (state in ('reading', 'settling')))
);
create unique index reconciliations_one_at_a_time on reconciliations (merchant_id, mode, psp_code)
  where finished_at is null;
create index reconciliations_due on reconciliations (due_at) where finished_at is null;
create index reconciliations_by_age on reconciliations (started_at);

-- What differed. A row is judged when it was looked at again: what the ledger has heard of meanwhile is repaired, what
-- still waits for an answer is pending, the rest is raised to a person.
create table reconciliation_differences (
  run_id       uuid not null,
  attempt_id   uuid not null,
  group_id     uuid not null,
  intent_id    uuid not null,
  currency     text collate "C" not null,
  expected     jsonb not null,
  actual       jsonb,
  outcome      text collate "C" not null,
  constraint reconciliation_differences_have_one_row_per_attempt primary key (run_id, attempt_id),
  constraint reconciliation_differences_belong_to_a_run foreign key (run_id) references reconciliations (id),
  constraint reconciliation_differences_outcome_is_known check (outcome in ('seen', 'repaired', 'pending', 'raised'))
);
