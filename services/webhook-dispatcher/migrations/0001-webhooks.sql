--! expand
-- Where a merchant wants to hear of events, per mode: a test event can never match a live endpoint. A deleted
-- endpoint keeps its row, without its secret, as long as deliveries tell of it.
create table endpoints (
  id            uuid        not null,
  merchant_id   text        not null,
  mode          text        not null,
  url           text        not null,
  description   text,
  enabled       boolean     not null default true,
  event_types   text[]      not null,
  secret_key_id text,
  secret_sealed bytea,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  deleted_at    timestamptz,
  constraint endpoints_have_one_row_per_id primary key (id),
  constraint endpoints_mode_is_known check (mode in ('test', 'live')),
  constraint endpoints_url_is_short check (length(url) between 1 and 2048),
  constraint endpoints_description_is_short check (length(description) <= 255),
  constraint endpoints_have_a_secret_until_deleted
    check ((deleted_at is null) = (secret_sealed is not null and secret_key_id is not null))
);

create index endpoints_by_owner on endpoints (merchant_id, mode, created_at) where deleted_at is null;

-- One lane per endpoint. A dispatcher that claims from a lane holds the row's lock for the length of the claim, so
-- the endpoint's cap is exact over all replicas. due_at is the earliest due time of the lane's open deliveries or
-- earlier, infinity when there are none; served_at makes lanes take turns.
create table lanes (
  endpoint_id uuid        not null,
  due_at      timestamptz not null default 'infinity',
  served_at   timestamptz not null default '-infinity',
  constraint lanes_have_one_row_per_endpoint primary key (endpoint_id),
  constraint lanes_belong_to_an_endpoint foreign key (endpoint_id) references endpoints (id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

create index lanes_by_due_at on lanes (due_at);

-- What happened, and the exact bytes every receiver is sent: payload is frozen here.
create table events (
  id          uuid        not null,
  merchant_id text        not null,
  mode        text        not null,
  type        text        not null,
  group_id    uuid        not null,
  sequence    integer     not null,
  payload     text        not null,
  traceparent text,
  received_at timestamptz not null,
  constraint events_have_one_row_per_id primary key (id),
  constraint events_mode_is_known check (mode in ('test', 'live')),
  constraint events_sequence_starts_at_one check (sequence >= 1)
);

-- Tells whether an event's predecessor has arrived.
create index events_by_group on events (group_id, sequence);
-- Only for the reaper: rows lie in the order they came.
create index events_by_age on events using brin (received_at) with (pages_per_range = 16);

-- One row per event and endpoint; both keys are ours, so no foreign key has to be looked up on every insert.
-- due_at: while pending, when the next attempt is due; while sending, when the lease of the claim ends.
create table deliveries (
  event_id    uuid        not null,
  endpoint_id uuid        not null,
  group_id    uuid        not null,
  sequence    integer     not null,
  status      text        not null,
  attempts    smallint    not null default 0,
  due_at      timestamptz,
  claim_id    uuid,
  claimed_at  timestamptz,
  created_at  timestamptz not null,
  settled_at  timestamptz,
  constraint deliveries_have_one_row_per_event_and_endpoint primary key (event_id, endpoint_id),
  constraint deliveries_status_is_known
    check (status in ('pending', 'sending', 'delivered', 'failed', 'held', 'cancelled')),
  constraint deliveries_open_have_a_due_time check ((status in ('pending', 'sending')) = (due_at is not null)),
  constraint deliveries_claimed_are_sending check ((status = 'sending') = (claim_id is not null)),
  constraint deliveries_final_say_when
    check ((status in ('delivered', 'failed', 'cancelled')) = (settled_at is not null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

-- The claim reads a lane's head here, whatever else is due.
create index deliveries_open_by_lane on deliveries (endpoint_id, due_at, event_id)
  where status in ('pending', 'sending');
-- How full a lane is; at most its cap of rows.
create index deliveries_sending_by_lane on deliveries (endpoint_id) where status = 'sending';
-- Whether an earlier event of the group has yet to make its first attempt at this endpoint.
create index deliveries_untried_by_group on deliveries (endpoint_id, group_id, sequence)
  where attempts = 0 and status in ('pending', 'sending');
-- What a disabled endpoint would have been sent, for its recovery.
create index deliveries_held_by_endpoint on deliveries (endpoint_id, event_id) where status = 'held';

-- What was sent and answered, attempt by attempt. id is a UUIDv7: its time says the partition.
create table attempts (
  id              uuid        not null,
  event_id        uuid        not null,
  endpoint_id     uuid        not null,
  number          smallint    not null,
  url             text        not null,
  request_headers jsonb       not null,
  remote_address  text,
  timings         jsonb       not null,
  error_class     text,
  http_status     smallint,
  response_body   text,
  outcome         text        not null,
  next_attempt_at timestamptz,
  trace_id        text,
  constraint attempts_have_one_row_per_id primary key (id)
) partition by range (id);

create index attempts_by_endpoint on attempts (endpoint_id, event_id);
