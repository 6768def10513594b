--! expand
-- Secrets that were rolled away and still sign beside the current one, until their overlap ends.
create table retired_secrets (
  endpoint_id   uuid        not null,
  secret_key_id text        not null,
  secret_sealed bytea       not null,
  valid_until   timestamptz not null,
  retired_at    timestamptz not null,
  constraint retired_secrets_retire_once primary key (endpoint_id, retired_at),
  constraint retired_secrets_belong_to_an_endpoint foreign key (endpoint_id) references endpoints (id)
);

create index retired_secrets_by_end on retired_secrets (valid_until);

-- created_at is what the payload says: the instant merchants see and filter by. A test event never happened: it is
-- for one endpoint, and no list or recovery shows it.
alter table events
  add column created_at timestamptz not null default clock_timestamp(),
  add column is_test boolean not null default false;
update events set created_at = (payload::json ->> 'created')::timestamptz;

-- Lists newest first and recoveries oldest first; the type is looked at without visiting the row.
create index events_by_owner on events (merchant_id, mode, created_at, id, type) where not is_test;

-- tries: requests ever made, which number the log; attempts: how far up the ladder it is. While a merchant's resend
-- waits, resend_from says what the delivery was and is again when the resend is not acknowledged, and resend_due_at
-- when its own next attempt was due.
alter table deliveries
  add column tries integer not null default 0,
  add column resend_from text,
  add column resend_due_at timestamptz,
  add constraint deliveries_are_resent_from_a_known_status
    check (resend_from in ('pending', 'delivered', 'failed')),
  add constraint deliveries_resent_are_open check (resend_from is null or status in ('pending', 'sending')),
  add constraint deliveries_resent_keep_their_own_due_time
    check ((resend_due_at is not null) = (resend_from is not distinct from 'pending'));
-- A page of a list ends at a place told in milliseconds.
update deliveries set tries = attempts, created_at = date_trunc('milliseconds', created_at);

-- An endpoint's deliveries, newest first.
create index deliveries_by_endpoint on deliveries (endpoint_id, created_at, event_id, status);

alter table attempts add column is_manual boolean not null default false;

-- A period that an endpoint is sent again. Each step moves the position and makes its deliveries due in one commit,
-- so a job goes on where it was, whoever died. due_at: when its next step may be made.
create table recoveries (
  id          uuid        not null,
  endpoint_id uuid        not null,
  since       timestamptz not null,
  until       timestamptz not null,
  status      text        not null,
  recovered   integer     not null default 0,
  position_at timestamptz not null,
  position_id uuid        not null,
  due_at      timestamptz,
  created_at  timestamptz not null,
  ended_at    timestamptz,
  constraint recoveries_have_one_row_per_id primary key (id),
  constraint recoveries_belong_to_an_endpoint foreign key (endpoint_id) references endpoints (id),
  constraint recoveries_cover_a_period check (since < until),
  constraint recoveries_status_is_known check (status in ('running', 'done', 'cancelled')),
  constraint recoveries_running_have_a_due_time check ((status = 'running') = (due_at is not null)),
  constraint recoveries_ended_say_when check ((status = 'running') = (ended_at is null))
);

create unique index recoveries_run_one_by_one on recoveries (endpoint_id) where status = 'running';
create index recoveries_by_due_at on recoveries (due_at) where status = 'running';
create index recoveries_by_endpoint on recoveries (endpoint_id);
