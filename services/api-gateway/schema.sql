-- Schema api_gateway, made from the migrations: never edited by hand.

create table allowed_origins (
  merchant_id text not null,
  mode text not null,
  origins text[] not null,
  revision bigint not null,
  settings jsonb default '{}'::jsonb not null,
  constraint allowed_origins_have_one_row_per_mode PRIMARY KEY (merchant_id, mode),
  constraint allowed_origins_mode_is_test_or_live CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

create table api_keys (
  key_id uuid not null,
  digest bytea not null,
  pepper_id text not null,
  merchant_id text not null,
  mode text not null,
  revoked_at timestamp with time zone,
  revision bigint not null,
  scopes text[],
  expires_at timestamp with time zone,
  allowed_addresses text[],
  constraint api_keys_have_one_row_per_key PRIMARY KEY (key_id),
  constraint api_keys_are_told_apart_by_digest UNIQUE (digest),
  constraint api_keys_digest_is_a_sha256 CHECK (octet_length(digest) = 32),
  constraint api_keys_mode_is_test_or_live CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

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

create table idempotency_keys (
  command_id bytea not null,
  fingerprint bytea not null,
  merchant_id text not null,
  mode text not null,
  request_id text not null,
  lease uuid not null,
  leased_until timestamp with time zone not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  status smallint,
  response bytea,
  sealed_with text,
  constraint idempotency_keys_have_one_row_per_command PRIMARY KEY (command_id),
  constraint idempotency_keys_mode_is_test_or_live CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint idempotency_keys_name_hashes CHECK (octet_length(command_id) = 32 AND octet_length(fingerprint) = 32),
  constraint idempotency_keys_responses_are_final CHECK (status >= 200 AND status <= 499 OR status = 502),
  constraint idempotency_keys_responses_are_whole CHECK (num_nulls(status, response, sealed_with) = ANY (ARRAY[0, 3]))
)
with (toast_tuple_target=8160);

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

create table request_logs (
  id uuid not null,
  merchant_id text not null,
  mode text not null,
  request_id text not null,
  key_id uuid,
  method text not null,
  route text not null,
  path text not null,
  query text not null,
  status smallint not null,
  error_code text,
  duration_ms integer not null,
  request_body text,
  response_body text,
  constraint request_logs_have_one_row_per_id PRIMARY KEY (id),
  constraint request_logs_mode_is_test_or_live CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

create table session_epochs (
  group_id uuid not null,
  merchant_id text not null,
  mode text not null,
  epoch integer not null,
  constraint session_epochs_have_one_row_per_group PRIMARY KEY (group_id),
  constraint session_epochs_mode_is_test_or_live CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

comment on table operator_actions is 'append-only';

comment on table operator_tasks is 'never deleted';

CREATE INDEX allowed_origins_by_origin ON allowed_origins USING gin (origins);

CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);

CREATE INDEX inbox_by_age ON inbox USING btree (received_at);

CREATE INDEX operator_tasks_open ON operator_tasks USING btree (raised_at) WHERE resolved_at IS NULL;

CREATE INDEX outbox_unsent ON outbox USING btree ("position") WHERE sent_at IS NULL;

CREATE INDEX request_logs_by_request ON request_logs USING btree (request_id);

CREATE INDEX request_logs_of_a_merchant ON request_logs USING btree (merchant_id, mode, id);
