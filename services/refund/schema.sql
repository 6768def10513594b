-- Schema refund, made from the migrations: never edited by hand.

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

create table refunds (
  refund_id uuid not null,
  merchant_id text not null,
  mode text not null,
  group_id uuid not null,
  version bigint not null,
  group_state text not null,
  parts jsonb not null,
  first_seen_at timestamp with time zone default clock_timestamp() not null,
  settled_at timestamp with time zone,
  constraint refunds_have_one_row_each PRIMARY KEY (refund_id),
  constraint refunds_have_parts CHECK (jsonb_typeof(parts) = 'array'::text AND jsonb_array_length(parts) > 0),
  constraint refunds_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
)
with (fillfactor=70);

create table requests (
  command_id bytea not null,
  fingerprint bytea not null,
  refund_id uuid not null,
  answer jsonb,
  opened_at timestamp with time zone default clock_timestamp() not null,
  answered_at timestamp with time zone,
  constraint requests_are_made_once PRIMARY KEY (command_id),
  constraint requests_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refunds(refund_id) ON DELETE CASCADE,
  constraint requests_are_answered_at_a_time CHECK ((answer IS NULL) = (answered_at IS NULL)),
  constraint requests_ids_are_hashes CHECK (octet_length(command_id) = 32 AND octet_length(fingerprint) = 32)
);

comment on table operator_actions is 'append-only';

comment on table operator_tasks is 'never deleted';

CREATE INDEX inbox_by_age ON inbox USING btree (received_at);

CREATE INDEX operator_tasks_open ON operator_tasks USING btree (raised_at) WHERE resolved_at IS NULL;

CREATE INDEX outbox_unsent ON outbox USING btree ("position") WHERE sent_at IS NULL;

CREATE INDEX refunds_by_age ON refunds USING btree (first_seen_at);

CREATE INDEX refunds_of_a_group ON refunds USING btree (group_id);

CREATE INDEX refunds_unsettled ON refunds USING btree (first_seen_at) WHERE settled_at IS NULL;

CREATE INDEX requests_by_age ON requests USING btree (opened_at);

CREATE INDEX requests_of_a_refund ON requests USING btree (refund_id);
