--! expand
-- Messages this service owes to the bus, written in the transaction of the change they tell about.
-- Not partitioned: a missing partition would stop the service, and deleting sent rows from the low end of the
-- key in small batches leaves pages that the next inserts fill again.
create table outbox (
  position bigint generated always as identity,
  id uuid not null,
  subject text not null,
  group_key text not null,
  mode text not null,
  payload jsonb not null,
  traceparent text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  constraint outbox_has_one_row_per_position primary key (position),
  constraint outbox_mode_is_test_or_live check (mode in ('test', 'live'))
)
-- Every row is updated once, soon after its insert: vacuum by the number of rows, not by a share of 30 days.
with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);

-- What the relay reads; a row leaves it when it is marked sent, so it is as small as the backlog.
create index outbox_unsent on outbox (position) where sent_at is null;

-- What each consumer has processed; the row is written in the transaction of the effect.
create table inbox (
  consumer text collate "C" not null,
  message_id text collate "C" not null,
  received_at timestamptz not null default now(),
  constraint inbox_takes_a_message_once primary key (consumer, message_id)
);

-- Only for the reaper.
create index inbox_by_age on inbox (received_at);

-- Messages given up after their last delivery. The payload is text because it may be no JSON at all.
create table dead_letters (
  id bigint generated always as identity,
  consumer text not null,
  message_id text not null,
  subject text not null,
  mode text,
  payload text not null,
  traceparent text,
  reason text not null,
  delivery_count integer not null,
  dead_at timestamptz not null default now(),
  replayed_at timestamptz,
  constraint dead_letters_have_one_row_per_id primary key (id),
  constraint dead_letters_name_a_message_once unique (consumer, message_id)
);
