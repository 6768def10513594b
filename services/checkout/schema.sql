-- Schema checkout, made from the migrations: never edited by hand.

create table active_gateways (
  merchant_id text not null,
  mode text collate "C" not null,
  psp_code text collate "C",
  version integer not null,
  revision bigint not null,
  constraint active_gateways_have_one_row_per_mode PRIMARY KEY (merchant_id, mode),
  constraint active_gateways_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

create table allowed_origins (
  merchant_id text not null,
  mode text collate "C" not null,
  origins text[] not null,
  revision bigint not null,
  settings jsonb default '{}'::jsonb not null,
  constraint allowed_origins_have_one_row_per_mode PRIMARY KEY (merchant_id, mode),
  constraint allowed_origins_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
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

create table logos (
  merchant_id text not null,
  mode text collate "C" not null,
  file text collate "C",
  width integer,
  height integer,
  content bytea,
  revision bigint not null,
  constraint logos_have_one_row_per_mode PRIMARY KEY (merchant_id, mode),
  constraint logos_are_whole CHECK (num_nonnulls(file, width, height, content) = ANY (ARRAY[0, 4])),
  constraint logos_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

create table mail_opt_outs (
  merchant_id text not null,
  mode text collate "C" not null,
  address_hash bytea not null,
  opted_out_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint mail_opt_outs_have_one_row_per_address PRIMARY KEY (merchant_id, mode, address_hash),
  constraint mail_opt_outs_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

create table mailed_payments (
  payment_intent_id uuid not null,
  group_id uuid not null,
  merchant_id text not null,
  mode text collate "C" not null,
  locale text collate "C" not null,
  written_as text collate "C" not null,
  noted_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint mailed_payments_have_one_row_per_payment PRIMARY KEY (payment_intent_id),
  constraint mailed_payments_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
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

create table payer_mails (
  id uuid not null,
  event_id uuid not null,
  payment_intent_id uuid not null,
  group_id uuid not null,
  kind text collate "C" not null,
  occurred_at timestamp(3) with time zone not null,
  state text collate "C" default 'due'::text not null,
  reason text collate "C",
  attempts smallint default 0 not null,
  due_at timestamp(3) with time zone default clock_timestamp() not null,
  changed_at timestamp(3) with time zone default clock_timestamp() not null,
  address_hash bytea,
  token_hash bytea,
  constraint payer_mails_have_one_row_per_id PRIMARY KEY (id),
  constraint payer_mails_have_one_row_per_event UNIQUE (event_id, payment_intent_id, kind),
  constraint payer_mails_belong_to_a_payment FOREIGN KEY (payment_intent_id) REFERENCES mailed_payments(payment_intent_id) ON DELETE CASCADE,
  constraint payer_mails_give_a_reason_when_skipped CHECK ((state = 'skipped'::text) = (reason IS NOT NULL)),
  constraint payer_mails_kind_is_known CHECK (kind = ANY (ARRAY['held'::text, 'charged'::text, 'released'::text, 'refunded'::text, 'reminder'::text, 'organiser_reminder'::text])),
  constraint payer_mails_state_is_known CHECK (state = ANY (ARRAY['due'::text, 'sending'::text, 'sent'::text, 'skipped'::text, 'refused'::text, 'given_up'::text, 'unknown'::text])),
  constraint payer_mails_that_may_have_left_have_a_link CHECK ((state <> ALL (ARRAY['sending'::text, 'sent'::text, 'unknown'::text])) OR num_nonnulls(address_hash, token_hash) = 2)
);

create table payer_returns (
  payment_intent_id uuid not null,
  group_id uuid not null,
  address text not null,
  kept_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint payer_returns_have_one_row_per_payment PRIMARY KEY (payment_intent_id)
);

create table session_epochs (
  group_id uuid not null,
  merchant_id text not null,
  mode text collate "C" not null,
  epoch integer not null,
  raised_at timestamp(3) with time zone default clock_timestamp() not null,
  link integer default 0 not null,
  constraint session_epochs_have_one_row_per_group PRIMARY KEY (group_id),
  constraint session_epochs_begin_at_one CHECK (epoch >= 1),
  constraint session_epochs_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

create table session_limits (
  session_id uuid not null,
  group_id uuid not null,
  customer_email text,
  slot_ids uuid[],
  ends_at timestamp(3) with time zone not null,
  constraint session_limits_have_one_row_per_session PRIMARY KEY (session_id),
  constraint session_limits_email_is_normal CHECK (customer_email = lower(btrim(customer_email))),
  constraint session_limits_limit_something CHECK (num_nonnulls(customer_email, slot_ids) > 0)
);

create table signing_keys (
  kid text collate "C" not null,
  mode text collate "C" not null,
  x text collate "C" not null,
  sealed bytea not null,
  sealed_with text collate "C" not null,
  signs_from timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint signing_keys_have_one_row_per_kid PRIMARY KEY (kid),
  constraint signing_keys_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint signing_keys_x_is_an_ed25519_point CHECK (length(x) = 43)
);

comment on table operator_actions is 'append-only';

comment on table operator_tasks is 'never deleted';

CREATE INDEX allowed_origins_by_origin ON allowed_origins USING gin (origins);

CREATE INDEX inbox_by_age ON inbox USING btree (received_at);

CREATE INDEX logos_by_file ON logos USING btree (file);

CREATE INDEX mailed_payments_by_age ON mailed_payments USING btree (noted_at);

CREATE INDEX mailed_payments_of_test_mode ON mailed_payments USING btree (merchant_id) WHERE mode = 'test'::text;

CREATE INDEX operator_tasks_open ON operator_tasks USING btree (raised_at) WHERE resolved_at IS NULL;

CREATE INDEX outbox_unsent ON outbox USING btree ("position") WHERE sent_at IS NULL;

CREATE INDEX payer_mails_by_address ON payer_mails USING btree (address_hash, changed_at) WHERE address_hash IS NOT NULL;

CREATE INDEX payer_mails_by_due_time ON payer_mails USING btree (due_at) WHERE state = 'due'::text;

CREATE INDEX payer_mails_by_group ON payer_mails USING btree (group_id) WHERE kind = 'reminder'::text;

CREATE INDEX payer_mails_by_payment ON payer_mails USING btree (payment_intent_id);

CREATE INDEX payer_mails_by_start_of_sending ON payer_mails USING btree (changed_at) WHERE state = 'sending'::text;

CREATE UNIQUE INDEX payer_mails_have_one_row_per_token ON payer_mails USING btree (token_hash) WHERE token_hash IS NOT NULL;

CREATE INDEX payer_mails_of_organisers ON payer_mails USING btree (group_id) WHERE kind = 'organiser_reminder'::text;

CREATE UNIQUE INDEX payer_mails_remind_once_of_a_payment ON payer_mails USING btree (payment_intent_id) WHERE kind = 'reminder'::text;

CREATE INDEX payer_returns_by_age ON payer_returns USING btree (kept_at);

CREATE INDEX session_limits_by_end ON session_limits USING btree (ends_at);
