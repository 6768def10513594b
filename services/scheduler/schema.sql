-- Schema scheduler, made from the migrations: never edited by hand.

create table dead_letters (
  id bigint generated always as identity not null,
  consumer text not null,
  message_id text not null,
  subject text not null,
  mode text,
  payload text not null,
  traceparent text,
  reason text not null,
  delivery_count integer not null,
  dead_at timestamp with time zone default now() not null,
  replayed_at timestamp with time zone,
  constraint dead_letters_have_one_row_per_id PRIMARY KEY (id),
  constraint dead_letters_name_a_message_once UNIQUE (consumer, message_id)
);

create table inbox (
  consumer text collate "C" not null,
  message_id text collate "C" not null,
  received_at timestamp with time zone default now() not null,
  constraint inbox_takes_a_message_once PRIMARY KEY (consumer, message_id)
);

create table operator_actions (
  id bigint generated always as identity not null,
  actor text not null,
  action text collate "C" not null,
  subject text not null,
  details jsonb default '{}'::jsonb not null,
  acted_at timestamp(3) with time zone default clock_timestamp() not null,
  operator_key text collate "C",
  constraint operator_actions_have_one_row_per_id PRIMARY KEY (id)
);

create table operator_tasks (
  key text collate "C" not null,
  code text collate "C" not null,
  merchant_id text collate "C",
  mode text collate "C",
  group_id uuid,
  intent_id uuid,
  details jsonb default '{}'::jsonb not null,
  raised_at timestamp(3) with time zone default clock_timestamp() not null,
  times integer default 1 not null,
  resolved_at timestamp(3) with time zone,
  resolved_by text,
  resolution text,
  constraint operator_tasks_have_one_row_per_matter PRIMARY KEY (key),
  constraint operator_tasks_are_resolved_by_somebody CHECK ((resolved_at IS NULL) = (resolved_by IS NULL)),
  constraint operator_tasks_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

create table outbox (
  "position" bigint generated always as identity not null,
  id uuid not null,
  subject text not null,
  group_key text not null,
  mode text not null,
  payload jsonb not null,
  traceparent text,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  constraint outbox_has_one_row_per_position PRIMARY KEY ("position"),
  constraint outbox_mode_is_test_or_live CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
)
with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=5000);

create table outbox_repeats (
  is_only boolean default true not null,
  "position" bigint not null,
  streams text,
  constraint outbox_repeats_have_one_row PRIMARY KEY (is_only),
  constraint outbox_repeats_have_no_second_row CHECK (is_only)
);

create table test_clock_advances (
  command_id bytea not null,
  fingerprint bytea not null,
  merchant_id text not null,
  asked_at timestamp with time zone default clock_timestamp() not null,
  constraint test_clock_advances_count_once PRIMARY KEY (command_id),
  constraint test_clock_advances_have_hashes CHECK (octet_length(command_id) = 32 AND octet_length(fingerprint) = 32)
);

create table test_clocks (
  merchant_id text not null,
  target_ms bigint not null,
  ahead_ms bigint default 0 not null,
  revision bigint default 0 not null,
  released_ms bigint default 0 not null,
  is_resetting boolean default false not null,
  is_settled boolean default false not null,
  worker uuid,
  leased_until timestamp with time zone,
  worked_at timestamp with time zone default clock_timestamp() not null,
  constraint test_clocks_have_one_row_per_merchant PRIMARY KEY (merchant_id),
  constraint test_clocks_are_never_behind CHECK (target_ms >= 0 AND ahead_ms >= 0 AND released_ms >= 0),
  constraint test_clocks_settle_at_their_target CHECK (NOT is_settled OR NOT is_resetting AND ahead_ms = target_ms AND released_ms = target_ms)
)
with (fillfactor=70);

create table timers (
  owner text not null,
  key text not null,
  revision bigint not null,
  state text not null,
  kind text,
  due_at timestamp with time zone,
  data jsonb,
  merchant_id text not null,
  mode text not null,
  settled_at timestamp with time zone,
  traceparent text,
  constraint timers_have_one_row_per_key PRIMARY KEY (owner, key),
  constraint timers_armed_are_complete CHECK (state <> 'armed'::text OR kind IS NOT NULL AND due_at IS NOT NULL AND data IS NOT NULL),
  constraint timers_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint timers_state_is_known CHECK (state = ANY (ARRAY['armed'::text, 'fired'::text, 'cancelled'::text]))
)
with (fillfactor=85);

comment on table operator_actions is 'append-only';

comment on table operator_tasks is 'never deleted';

CREATE INDEX inbox_by_age ON inbox USING btree (received_at);

CREATE INDEX operator_tasks_open ON operator_tasks USING btree (raised_at) WHERE resolved_at IS NULL;

CREATE INDEX outbox_unsent ON outbox USING btree ("position") WHERE sent_at IS NULL;

CREATE INDEX test_clock_advances_by_age ON test_clock_advances USING btree (asked_at);

CREATE INDEX test_clocks_ahead ON test_clocks USING btree (merchant_id) WHERE released_ms > 0;

CREATE INDEX test_clocks_going ON test_clocks USING btree (worked_at) WHERE NOT is_settled;

CREATE INDEX timers_armed_by_due_at ON timers USING btree (due_at) WHERE state = 'armed'::text;

CREATE INDEX timers_armed_of_a_test_merchant ON timers USING btree (merchant_id, due_at) WHERE state = 'armed'::text AND mode = 'test'::text;

CREATE INDEX timers_settled_by_age ON timers USING btree (settled_at) WHERE state <> 'armed'::text;
