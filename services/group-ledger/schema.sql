-- Schema group_ledger, made from the migrations: never edited by hand.

create table attempts (
  id uuid not null,
  intent_id uuid not null,
  group_id uuid not null,
  seq smallint not null,
  state text collate "C" not null,
  amount_minor bigint,
  capture_before timestamp(3) with time zone,
  psp_reference text,
  started_at timestamp(3) with time zone not null,
  amount_captured bigint default 0 not null,
  amount_refunded bigint default 0 not null,
  constraint attempts_have_one_row_per_id PRIMARY KEY (id),
  constraint attempts_of_an_intent_are_numbered UNIQUE (intent_id, seq),
  constraint attempts_belong_to_an_intent FOREIGN KEY (intent_id) REFERENCES intents(id),
  constraint attempts_give_back_at_most_what_they_took CHECK (amount_refunded >= 0 AND amount_refunded <= amount_captured),
  constraint attempts_state_is_known CHECK (state = ANY (ARRAY['started'::text, 'unknown'::text, 'authorised'::text, 'declined'::text, 'absent'::text, 'cancelled'::text, 'voided'::text])),
  constraint attempts_take_at_most_what_they_hold CHECK (amount_captured >= 0 AND amount_captured <= COALESCE(amount_minor, 0::bigint))
)
with (fillfactor=70);

create table commands (
  id bytea not null,
  fingerprint bytea not null,
  group_id uuid not null,
  intent_id uuid,
  refund_id uuid,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint commands_run_once PRIMARY KEY (id)
);

create table customers (
  id uuid not null,
  merchant_id text collate "C" not null,
  mode text collate "C" not null,
  email text not null,
  name text,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  updated_at timestamp(3) with time zone default clock_timestamp() not null,
  last_payment_at timestamp(3) with time zone,
  time_zone text collate "C",
  constraint customers_have_one_row_per_id PRIMARY KEY (id),
  constraint customers_are_known_by_email UNIQUE (merchant_id, mode, email),
  constraint customers_email_is_normal CHECK (email = lower(btrim(email))),
  constraint customers_name_is_short CHECK (length(name) <= 100),
  constraint customers_time_zone_is_short CHECK (char_length(time_zone) >= 1 AND char_length(time_zone) <= 64)
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

create table events (
  group_id uuid not null,
  sequence integer not null,
  id uuid not null,
  type text collate "C" not null,
  subject_id uuid not null,
  group_version bigint not null,
  occurred_at timestamp(3) with time zone not null,
  constraint events_have_one_place_in_their_group PRIMARY KEY (group_id, sequence),
  constraint events_tell_a_fact_once UNIQUE (group_id, type, subject_id, group_version)
);

create table gateway_connections (
  merchant_id text collate "C" not null,
  mode text collate "C" not null,
  psp_code text collate "C" not null,
  version integer not null,
  active boolean not null,
  revoked_at timestamp(3) with time zone,
  revision bigint not null,
  activated_revision bigint not null,
  constraint gateway_connections_have_one_row_per_version PRIMARY KEY (merchant_id, mode, psp_code, version)
);

create table group_count_changes (
  id bigint generated always as identity not null,
  merchant_id text collate "C" not null,
  mode text collate "C" not null,
  day timestamp(3) with time zone not null,
  from_state text collate "C" not null,
  to_state text collate "C" not null,
  constraint group_count_changes_have_one_row_per_id PRIMARY KEY (id)
);

create table group_counts (
  merchant_id text collate "C" not null,
  mode text collate "C" not null,
  day timestamp(3) with time zone not null,
  state text collate "C" not null,
  groups bigint not null,
  constraint group_counts_have_one_row_per_day PRIMARY KEY (merchant_id, mode, day, state)
);

create table group_counts_end (
  is_only boolean default true not null,
  end_day timestamp(3) with time zone not null,
  constraint group_counts_end_has_one_row PRIMARY KEY (is_only),
  constraint group_counts_end_has_no_second_row CHECK (is_only)
);

create table groups (
  id uuid not null,
  merchant_id text collate "C" not null,
  mode text collate "C" not null,
  group_name text not null,
  merchant_order_id text collate "C" not null,
  total_minor bigint not null,
  currency text collate "C" not null,
  state text collate "C" not null,
  metadata jsonb,
  page_token text collate "C" not null,
  expires_at timestamp(3) with time zone not null,
  expired_at timestamp(3) with time zone,
  cancelled_at timestamp(3) with time zone,
  capture_stopped_at timestamp(3) with time zone,
  version bigint not null,
  sequence integer not null,
  refund_number integer not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  traceparent text collate "C",
  link_number integer default 0 not null,
  client_reference text collate "C",
  organiser_token text collate "C",
  organiser_link_number integer default 0 not null,
  organiser_rights jsonb,
  capture_minimum_minor bigint,
  capture_minimum_slots smallint,
  max_tip_minor bigint,
  constraint groups_have_one_row_per_id PRIMARY KEY (id),
  constraint groups_are_found_by_page_token UNIQUE (page_token),
  constraint groups_are_told_apart_by_order_id UNIQUE (merchant_id, merchant_order_id),
  constraint groups_capture_minimum_is_one CHECK (num_nonnulls(capture_minimum_minor, capture_minimum_slots) <= 1),
  constraint groups_end_by_time_has_its_instant CHECK (
CASE
    WHEN num_nonnulls(capture_minimum_minor, capture_minimum_slots) = 0 THEN (state = 'expired'::text) = (expired_at IS NOT NULL)
    ELSE state <> 'expired'::text OR expired_at IS NOT NULL
END),
  constraint groups_end_collecting_one_way CHECK (expired_at IS NULL OR cancelled_at IS NULL),
  constraint groups_max_tip_is_an_amount CHECK (max_tip_minor > 0),
  constraint groups_metadata_is_an_object CHECK (jsonb_typeof(metadata) = 'object'::text),
  constraint groups_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint groups_name_is_short CHECK (length(group_name) >= 1 AND length(group_name) <= 32),
  constraint groups_organiser_has_token_and_rights CHECK ((organiser_token IS NULL) = (organiser_rights IS NULL)),
  constraint groups_state_cancelled_has_its_instant CHECK ((state = 'cancelled'::text) = (cancelled_at IS NOT NULL)),
  constraint groups_state_is_known CHECK (state = ANY (ARRAY['draft'::text, 'expired'::text, 'cancelled'::text, 'open'::text, 'partially_preauthorised'::text, 'preauthorised'::text, 'capturing'::text, 'partially_paid'::text, 'paid'::text, 'capture_failed'::text, 'refunding'::text, 'partially_refunded'::text, 'refunded'::text, 'refund_failed'::text])),
  constraint groups_total_is_positive CHECK (total_minor > 0)
)
with (fillfactor=80);

create table inbox (
  consumer text collate "C" not null,
  message_id text collate "C" not null,
  received_at timestamp with time zone default now() not null,
  constraint inbox_takes_a_message_once PRIMARY KEY (consumer, message_id)
);

create table intents (
  id uuid not null,
  group_id uuid not null,
  customer_id uuid not null,
  psp_code text collate "C" not null,
  credential_version integer not null,
  amount_minor bigint not null,
  slot_ids uuid[] not null,
  state text collate "C" not null,
  unknown boolean not null,
  winning_attempt_id uuid,
  declines smallint not null,
  renewals smallint not null,
  capture_before timestamp(3) with time zone,
  amount_captured bigint not null,
  amount_refunded bigint not null,
  disputed boolean not null,
  superseded_by uuid,
  failure jsonb,
  traceparent text collate "C",
  created_at timestamp(3) with time zone not null,
  requesters text[],
  tip_minor bigint default 0 not null,
  shown_name text collate "C",
  constraint intents_have_one_row_per_id PRIMARY KEY (id),
  constraint intents_belong_to_a_group FOREIGN KEY (group_id) REFERENCES groups(id),
  constraint intents_cover_slots CHECK (cardinality(slot_ids) >= 1 AND cardinality(slot_ids) <= 30),
  constraint intents_gateway_is_a_code CHECK (psp_code ~ '^[a-z][a-z0-9_]{0,31}$'::text),
  constraint intents_give_back_at_most_what_they_took CHECK (amount_refunded <= amount_captured),
  constraint intents_holding_have_a_winner CHECK ((state <> ALL (ARRAY['preauthorised'::text, 'capture_pending'::text, 'captured'::text, 'refund_pending'::text, 'refunded'::text])) OR winning_attempt_id IS NOT NULL),
  constraint intents_shown_name_is_short CHECK (char_length(shown_name) >= 1 AND char_length(shown_name) <= 40),
  constraint intents_state_is_known CHECK (state = ANY (ARRAY['created'::text, 'processing'::text, 'preauthorised'::text, 'capture_pending'::text, 'captured'::text, 'refund_pending'::text, 'refunded'::text, 'failed'::text, 'void_pending'::text, 'voided'::text, 'capture_failed'::text])),
  constraint intents_tip_is_part_of_the_amount CHECK (tip_minor >= 0 AND tip_minor < amount_minor)
)
with (fillfactor=70);

create table movements (
  merchant_id text collate "C" not null,
  mode text collate "C" not null,
  at timestamp(3) with time zone not null,
  id uuid not null,
  kind text collate "C" not null,
  is_tip boolean not null,
  psp_code text collate "C" not null,
  currency text collate "C" not null,
  amount_minor bigint not null,
  group_id uuid not null,
  intent_id uuid not null,
  constraint movements_have_one_row_per_entry PRIMARY KEY (merchant_id, mode, at, id),
  constraint movements_kind_is_known CHECK (kind = ANY (ARRAY['held'::text, 'released'::text, 'captured'::text, 'refunded'::text, 'returned'::text, 'reversed'::text])),
  constraint movements_move_something CHECK (amount_minor > 0)
);

create table movements_end (
  is_only boolean default true not null,
  end_id uuid not null,
  constraint movements_end_has_one_row PRIMARY KEY (is_only),
  constraint movements_end_has_no_second_row CHECK (is_only)
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

create table operator_keys (
  key text collate "C" not null,
  name text collate "C" not null,
  role text collate "C" not null,
  added_at timestamp(3) with time zone default clock_timestamp() not null,
  added_by text,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  revoked_by text,
  constraint operator_keys_have_one_row_per_key PRIMARY KEY (key),
  constraint operator_keys_are_public_halves CHECK (key ~ '^O[A-Z2-7]{55}$'::text),
  constraint operator_keys_are_revoked_by_somebody CHECK ((revoked_at IS NULL) = (revoked_by IS NULL)),
  constraint operator_keys_expire_after_they_were_added CHECK (expires_at > added_at),
  constraint operator_keys_have_a_known_role CHECK (role = ANY (ARRAY['read'::text, 'act'::text, 'admin'::text])),
  constraint operator_keys_name_a_person CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'::text)
);

create table operator_proofs (
  operator_key text collate "C" not null,
  nonce text collate "C" not null,
  spent_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint operator_proofs_are_spent_once PRIMARY KEY (operator_key, nonce)
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

create table orders (
  id uuid not null,
  group_id uuid not null,
  kind text collate "C" not null,
  intent_id uuid not null,
  attempt_id uuid not null,
  operation_id uuid not null,
  seq smallint not null,
  state text collate "C" not null,
  requested_at timestamp(3) with time zone not null,
  unless_authorised boolean,
  refund_id uuid,
  refund_number integer,
  source text collate "C",
  amount_minor bigint,
  failure jsonb,
  constraint orders_have_one_row_per_id PRIMARY KEY (id),
  constraint orders_belong_to_an_intent FOREIGN KEY (intent_id) REFERENCES intents(id),
  constraint orders_kind_is_known CHECK (kind = ANY (ARRAY['capture'::text, 'void'::text, 'refund'::text])),
  constraint orders_of_refunds_are_complete CHECK ((kind = 'refund'::text) = (refund_id IS NOT NULL AND refund_number IS NOT NULL AND source IS NOT NULL AND amount_minor IS NOT NULL)),
  constraint orders_state_fits_their_kind CHECK ((state = ANY (ARRAY['started'::text, 'waiting'::text, 'unknown'::text])) OR kind = 'capture'::text AND (state = ANY (ARRAY['captured'::text, 'failed'::text, 'stopped'::text])) OR kind = 'void'::text AND (state = ANY (ARRAY['confirmed'::text, 'withdrawn'::text, 'lapsed'::text, 'refused'::text])) OR kind = 'refund'::text AND (state = ANY (ARRAY['refunded'::text, 'failed'::text, 'reversed'::text])))
)
with (fillfactor=70);

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

create table posting_sums (
  merchant_id text collate "C" not null,
  mode text collate "C" not null,
  quarter timestamp(3) with time zone not null,
  psp_code text collate "C" not null,
  currency text collate "C" not null,
  held_in bigint not null,
  held_out bigint not null,
  captured_in bigint not null,
  captured_out bigint not null,
  refunded_in bigint not null,
  refunded_out bigint not null,
  tips_in bigint default 0 not null,
  tips_out bigint default 0 not null,
  constraint posting_sums_have_one_row_per_quarter PRIMARY KEY (merchant_id, mode, quarter, psp_code, currency)
);

create table posting_sums_end (
  is_only boolean default true not null,
  end_id uuid not null,
  constraint posting_sums_end_has_one_row PRIMARY KEY (is_only),
  constraint posting_sums_end_has_no_second_row CHECK (is_only)
);

create table postings (
  id uuid not null,
  group_id uuid not null,
  entry_id uuid not null,
  account text collate "C" not null,
  amount_minor bigint not null,
  intent_id uuid not null,
  attempt_id uuid not null,
  transition_id uuid,
  posted_at timestamp(3) with time zone not null,
  constraint postings_have_one_row_per_id PRIMARY KEY (id),
  constraint postings_account_is_one_of_ours CHECK (account = ANY (ARRAY['payer:authorised'::text, 'group:held'::text, 'merchant:captured'::text, 'merchant:tips'::text, 'payer:refunded'::text])),
  constraint postings_move_something CHECK (amount_minor <> 0)
);

create table reconciliation_differences (
  run_id uuid not null,
  attempt_id uuid not null,
  group_id uuid not null,
  intent_id uuid not null,
  currency text collate "C" not null,
  expected jsonb not null,
  actual jsonb,
  outcome text collate "C" not null,
  constraint reconciliation_differences_have_one_row_per_attempt PRIMARY KEY (run_id, attempt_id),
  constraint reconciliation_differences_belong_to_a_run FOREIGN KEY (run_id) REFERENCES reconciliations(id),
  constraint reconciliation_differences_outcome_is_known CHECK (outcome = ANY (ARRAY['seen'::text, 'repaired'::text, 'pending'::text, 'raised'::text]))
);

create table reconciliations (
  id uuid not null,
  merchant_id text collate "C" not null,
  mode text collate "C" not null,
  psp_code text collate "C" not null,
  state text collate "C" not null,
  requested_by text not null,
  started_at timestamp(3) with time zone default clock_timestamp() not null,
  finished_at timestamp(3) with time zone,
  cursor_at timestamp(3) with time zone not null,
  cursor_id uuid not null,
  looks smallint default 0 not null,
  failures smallint default 0 not null,
  due_at timestamp(3) with time zone default date_trunc('milliseconds'::text, clock_timestamp()) not null,
  payments integer default 0 not null,
  agreed integer default 0 not null,
  unanswered integer default 0 not null,
  sums jsonb default '{}'::jsonb not null,
  previous_id uuid,
  constraint reconciliations_have_one_row_per_id PRIMARY KEY (id),
  constraint reconciliations_end_once CHECK ((finished_at IS NULL) = (state = ANY (ARRAY['reading'::text, 'settling'::text]))),
  constraint reconciliations_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint reconciliations_state_is_known CHECK (state = ANY (ARRAY['reading'::text, 'settling'::text, 'done'::text, 'failed'::text]))
);

create table slots (
  group_id uuid not null,
  id uuid not null,
  amount_minor bigint not null,
  updated_at timestamp(3) with time zone not null,
  sequence_no smallint not null,
  state text collate "C" not null,
  assigned_customer_id uuid,
  reserved_until timestamp(3) with time zone,
  intent_id uuid,
  metadata jsonb,
  label text collate "C",
  constraint slots_have_one_row_per_place PRIMARY KEY (group_id, sequence_no),
  constraint slots_amount_is_payable CHECK (amount_minor >= 1 AND amount_minor <= 99999999),
  constraint slots_label_is_short CHECK (char_length(label) >= 1 AND char_length(label) <= 60),
  constraint slots_metadata_is_an_object CHECK (jsonb_typeof(metadata) = 'object'::text),
  constraint slots_number_at_most_30 CHECK (sequence_no >= 1 AND sequence_no <= 30),
  constraint slots_state_is_known CHECK (state = ANY (ARRAY['unassigned'::text, 'assigned'::text, 'expired'::text, 'preauthorised'::text, 'captured'::text, 'refunded'::text, 'cancelled'::text])),
  constraint slots_taken_have_an_intent CHECK ((state <> ALL (ARRAY['assigned'::text, 'preauthorised'::text, 'captured'::text, 'refunded'::text])) OR intent_id IS NOT NULL AND assigned_customer_id IS NOT NULL)
)
with (fillfactor=70);

create table test_clocks (
  merchant_id text not null,
  ahead interval not null,
  revision bigint not null,
  constraint test_clocks_have_one_row_per_merchant PRIMARY KEY (merchant_id)
);

create table transitions (
  id uuid not null,
  group_id uuid not null,
  entity text collate "C" not null,
  entity_id uuid not null,
  state_from text collate "C",
  state_to text collate "C" not null,
  trigger text collate "C" not null,
  actor text collate "C" not null,
  command_id text collate "C",
  trace_id text collate "C",
  group_version bigint not null,
  decided_at timestamp(3) with time zone not null,
  failure jsonb,
  psp_reference text collate "C",
  constraint transitions_have_one_row_per_id PRIMARY KEY (id),
  constraint transitions_entity_is_known CHECK (entity = ANY (ARRAY['group'::text, 'slot'::text, 'intent'::text, 'attempt'::text]))
);

comment on table attempts is 'never deleted';

comment on table customers is 'never deleted';

comment on table events is 'append-only';

comment on table group_counts is 'never deleted';

comment on table group_counts_end is 'never deleted';

comment on table groups is 'never deleted';

comment on table intents is 'never deleted';

comment on table movements is 'append-only';

comment on table movements_end is 'never deleted';

comment on table operator_actions is 'append-only';

comment on table operator_keys is 'never deleted';

comment on table operator_tasks is 'never deleted';

comment on table orders is 'never deleted';

comment on table posting_sums is 'never deleted';

comment on table posting_sums_end is 'never deleted';

comment on table postings is 'append-only';

comment on table slots is 'never deleted';

comment on table transitions is 'append-only';

CREATE INDEX attempts_by_reference ON attempts USING btree (psp_reference) WHERE psp_reference IS NOT NULL;

CREATE INDEX attempts_of_a_group ON attempts USING btree (group_id);

CREATE INDEX commands_by_age ON commands USING brin (created_at);

CREATE INDEX customers_by_activity ON customers USING btree (merchant_id, mode, COALESCE(last_payment_at, created_at), id);

CREATE INDEX customers_by_name ON customers USING btree (merchant_id, mode, lower(name) COLLATE "C") WHERE name IS NOT NULL;

CREATE INDEX customers_unfilled ON customers USING btree (id) WHERE last_payment_at IS NULL;

CREATE UNIQUE INDEX gateway_connections_one_is_active ON gateway_connections USING btree (merchant_id, mode) WHERE active;

CREATE INDEX group_count_changes_of_a_merchant ON group_count_changes USING btree (merchant_id, mode, day);

CREATE INDEX groups_by_client_reference ON groups USING btree (merchant_id, mode, client_reference, created_at, id) WHERE client_reference IS NOT NULL;

CREATE INDEX groups_by_metadata ON groups USING gin (metadata jsonb_path_ops) WHERE metadata IS NOT NULL;

CREATE INDEX groups_by_name ON groups USING btree (merchant_id, mode, lower(group_name) COLLATE "C");

CREATE UNIQUE INDEX groups_by_organiser_token ON groups USING btree (organiser_token) WHERE organiser_token IS NOT NULL;

CREATE INDEX groups_by_reference_in_lower_case ON groups USING btree (merchant_id, mode, lower(client_reference)) WHERE client_reference IS NOT NULL;

CREATE INDEX groups_by_state ON groups USING btree (merchant_id, mode, state, created_at, id);

CREATE INDEX groups_ended_uncollected ON groups USING btree (COALESCE(expired_at, cancelled_at)) WHERE COALESCE(expired_at, cancelled_at) IS NOT NULL;

CREATE INDEX groups_of_a_merchant ON groups USING btree (merchant_id, mode, created_at, id);

CREATE INDEX groups_unfinished ON groups USING btree (mode, state) WHERE state = ANY (ARRAY['open'::text, 'partially_preauthorised'::text, 'preauthorised'::text, 'capturing'::text, 'partially_paid'::text, 'capture_failed'::text, 'refunding'::text]);

CREATE INDEX groups_waiting_for_a_gateway ON groups USING btree (merchant_id, mode) WHERE state = 'preauthorised'::text;

CREATE INDEX inbox_by_age ON inbox USING btree (received_at);

CREATE INDEX intents_disputed ON intents USING btree (group_id) WHERE disputed;

CREATE INDEX intents_of_a_customer ON intents USING btree (customer_id, group_id);

CREATE INDEX intents_of_a_group ON intents USING btree (group_id);

CREATE INDEX intents_unknown ON intents USING btree (psp_code) WHERE unknown;

CREATE INDEX operator_proofs_by_age ON operator_proofs USING btree (spent_at);

CREATE INDEX operator_tasks_open ON operator_tasks USING btree (raised_at) WHERE resolved_at IS NULL;

CREATE UNIQUE INDEX orders_capture_an_intent_once ON orders USING btree (intent_id) WHERE kind = 'capture'::text;

CREATE INDEX orders_of_a_group ON orders USING btree (group_id);

CREATE UNIQUE INDEX orders_refund_an_intent_one_at_a_time ON orders USING btree (intent_id) WHERE kind = 'refund'::text AND (state = ANY (ARRAY['started'::text, 'waiting'::text, 'unknown'::text]));

CREATE INDEX orders_releases_open ON orders USING btree (requested_at) WHERE kind = 'void'::text AND (state = ANY (ARRAY['started'::text, 'waiting'::text, 'unknown'::text]));

CREATE UNIQUE INDEX orders_void_an_attempt_once ON orders USING btree (attempt_id) WHERE kind = 'void'::text;

CREATE INDEX outbox_unsent ON outbox USING btree ("position") WHERE sent_at IS NULL;

CREATE INDEX postings_of_a_group ON postings USING btree (group_id);

CREATE INDEX reconciliations_by_age ON reconciliations USING btree (started_at);

CREATE INDEX reconciliations_due ON reconciliations USING btree (due_at) WHERE finished_at IS NULL;

CREATE INDEX reconciliations_of_an_account ON reconciliations USING btree (merchant_id, mode, psp_code, started_at) WHERE state = 'done'::text AND unanswered = 0;

CREATE UNIQUE INDEX reconciliations_one_at_a_time ON reconciliations USING btree (merchant_id, mode, psp_code) WHERE finished_at IS NULL;

CREATE INDEX transitions_of_a_group ON transitions USING btree (group_id);

CREATE OR REPLACE FUNCTION note_group_count_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'group_ledger', 'pg_temp'
AS $function$
begin
  insert into group_count_changes (merchant_id, mode, day, from_state, to_state)
  values (new.merchant_id, new.mode, date_trunc('day', new.created_at, 'UTC'), old.state, new.state);
  return null;
end
$function$;

CREATE TRIGGER groups_note_changes_of_counts AFTER UPDATE OF state ON groups FOR EACH ROW WHEN (old.state <> new.state AND old.created_at < (clock_timestamp() - '24:00:00'::interval)) EXECUTE FUNCTION note_group_count_change();
