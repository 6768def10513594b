-- Schema gateway, made from the migrations: never edited by hand.

create table callbacks (
  id uuid not null,
  mode text not null,
  merchant_id text not null,
  credential_version integer not null,
  account text not null,
  event_id text not null,
  event_type text not null,
  attempt_id uuid,
  psp_reference text not null,
  is_disputed boolean,
  traceparent text,
  state text default 'stored'::text not null,
  tries integer default 0 not null,
  due_at timestamp with time zone default clock_timestamp() not null,
  received_at timestamp with time zone default clock_timestamp() not null,
  applied_at timestamp with time zone,
  signers jsonb default '[]'::jsonb not null,
  constraint callbacks_pkey PRIMARY KEY (id),
  constraint one_row_per_event UNIQUE (account, event_id),
  constraint callbacks_mode_check CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint callbacks_state_check CHECK (state = ANY (ARRAY['stored'::text, 'applied'::text, 'unmatched'::text]))
);

create table credentials (
  merchant_id text not null,
  mode text not null,
  version integer not null,
  account text not null,
  key_id text not null,
  sealed bytea not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  verified_at timestamp with time zone default now(),
  constraint credentials_pkey PRIMARY KEY (merchant_id, mode, version),
  constraint credentials_mode_check CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint credentials_version_check CHECK (version >= 1)
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

create table inbox (
  consumer text collate "C" not null,
  message_id text collate "C" not null,
  received_at timestamp with time zone default now() not null,
  constraint inbox_takes_a_message_once PRIMARY KEY (consumer, message_id)
);

create table mirrored (
  attempt_id uuid not null,
  operation text not null,
  amount_minor bigint not null,
  told_at timestamp with time zone default clock_timestamp() not null,
  constraint mirrored_pkey PRIMARY KEY (attempt_id, operation),
  constraint mirrored_amount_minor_check CHECK (amount_minor > 0),
  constraint mirrored_operation_check CHECK (operation = ANY (ARRAY['capture'::text, 'refund'::text]))
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

create table psp_attempts (
  id uuid not null,
  mode text not null,
  merchant_id text not null,
  group_id uuid not null,
  intent_id uuid not null,
  attempt_id uuid not null,
  operation text not null,
  seq integer not null,
  operation_id uuid not null,
  psp_idempotency_key text not null,
  credential_version integer not null,
  state text not null,
  psp_reference text,
  amount_minor bigint not null,
  currency text not null,
  result_minor bigint,
  sandbox_fault text,
  failure jsonb,
  traceparent text,
  not_after timestamp with time zone,
  unless_authorised boolean default false not null,
  started_at timestamp with time zone default clock_timestamp() not null,
  finished_at timestamp with time zone,
  leased_until timestamp with time zone not null,
  return_url text,
  accepted_at timestamp with time zone,
  constraint psp_attempts_pkey PRIMARY KEY (id),
  constraint one_row_per_idempotency_key UNIQUE (psp_idempotency_key),
  constraint one_row_per_operation_and_seq UNIQUE (attempt_id, operation, seq),
  constraint finished_means_answered CHECK ((finished_at IS NULL) = (state = ANY (ARRAY['started'::text, 'unknown'::text]))),
  constraint psp_attempts_amount_minor_check CHECK (amount_minor > 0),
  constraint psp_attempts_credential_version_check CHECK (credential_version >= 1),
  constraint psp_attempts_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  constraint psp_attempts_mode_check CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint psp_attempts_operation_check CHECK (operation = ANY (ARRAY['prepare'::text, 'authorise'::text, 'capture'::text, 'void'::text, 'refund'::text])),
  constraint psp_attempts_seq_check CHECK (seq >= 1),
  constraint psp_attempts_state_check CHECK (state = ANY (ARRAY['started'::text, 'unknown'::text, 'succeeded'::text, 'declined'::text, 'failed'::text]))
);

create table quarantine (
  id uuid not null,
  mode text not null,
  merchant_id text not null,
  intent_id uuid not null,
  attempt_id uuid not null,
  psp_reference text not null,
  expected_minor bigint not null,
  expected_currency text not null,
  actual_minor bigint not null,
  actual_currency text not null,
  found_at timestamp with time zone default clock_timestamp() not null,
  constraint quarantine_pkey PRIMARY KEY (id),
  constraint one_row_per_contradiction UNIQUE (attempt_id, actual_minor, actual_currency),
  constraint quarantine_mode_check CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

create table test_clocks (
  merchant_id text not null,
  ahead interval not null,
  revision bigint not null,
  constraint test_clocks_have_one_row_per_merchant PRIMARY KEY (merchant_id)
);

create table waiting_orders (
  "position" bigint generated always as identity not null,
  message_id text not null,
  subject text not null,
  operation text not null,
  mode text not null,
  merchant_id text not null,
  intent_id uuid not null,
  payload jsonb not null,
  traceparent text,
  tries integer default 0 not null,
  hand_outs integer default 0 not null,
  due_at timestamp with time zone default clock_timestamp() not null,
  received_at timestamp with time zone default clock_timestamp() not null,
  constraint waiting_orders_pkey PRIMARY KEY ("position"),
  constraint one_row_per_message UNIQUE (message_id),
  constraint waiting_orders_mode_check CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint waiting_orders_operation_check CHECK (operation = ANY (ARRAY['capture'::text, 'void'::text, 'refund'::text, 'query'::text]))
);

comment on table operator_actions is 'append-only';

comment on table operator_tasks is 'never deleted';

comment on table psp_attempts is 'never deleted';

comment on table quarantine is 'append-only';

CREATE INDEX callbacks_by_age ON callbacks USING btree (received_at);

CREATE INDEX callbacks_due ON callbacks USING btree (due_at) WHERE state = 'stored'::text;

CREATE INDEX callbacks_of_a_test_merchant ON callbacks USING btree (merchant_id) WHERE mode = 'test'::text AND state = 'stored'::text;

CREATE INDEX callbacks_stored_by_merchant ON callbacks USING btree (mode, merchant_id, due_at) WHERE state = 'stored'::text;

CREATE INDEX callbacks_stored_by_payment ON callbacks USING btree (psp_reference) WHERE state = 'stored'::text;

CREATE INDEX credentials_by_account ON credentials USING btree (account, version DESC);

CREATE INDEX credentials_verified_by_account ON credentials USING btree (account, mode) WHERE verified_at IS NOT NULL;

CREATE INDEX inbox_by_age ON inbox USING btree (received_at);

CREATE INDEX operator_tasks_open ON operator_tasks USING btree (raised_at) WHERE resolved_at IS NULL;

CREATE INDEX outbox_unsent ON outbox USING btree ("position") WHERE sent_at IS NULL;

CREATE UNIQUE INDEX one_preparation_per_reference ON psp_attempts USING btree (psp_reference) WHERE operation = 'prepare'::text AND psp_reference IS NOT NULL;

CREATE INDEX psp_attempts_by_credentials ON psp_attempts USING btree (merchant_id, mode, credential_version);

CREATE INDEX psp_attempts_by_psp_reference ON psp_attempts USING btree (psp_reference) WHERE psp_reference IS NOT NULL;

CREATE INDEX psp_attempts_of_a_test_merchant ON psp_attempts USING btree (merchant_id, started_at) WHERE mode = 'test'::text;

CREATE INDEX psp_attempts_unanswered ON psp_attempts USING btree (leased_until) WHERE state = 'started'::text;

CREATE INDEX waiting_orders_by_merchant ON waiting_orders USING btree (mode, merchant_id, operation, due_at);

CREATE INDEX waiting_orders_of_an_intent ON waiting_orders USING btree (intent_id, operation, "position");
