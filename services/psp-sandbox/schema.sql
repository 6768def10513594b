-- Schema psp_sandbox, made from the migrations: never edited by hand.

create table accounts (
  gateway text not null,
  account text not null,
  name text not null,
  public_ids jsonb not null,
  key_id text not null,
  sealed_secrets bytea not null,
  secret_hashes text[] not null,
  webhook_url text,
  created_at timestamp with time zone default now() not null,
  merchant_id text,
  display_name text,
  constraint accounts_are_unique PRIMARY KEY (gateway, account),
  constraint account_names_are_unique UNIQUE (gateway, name)
);

create table actions (
  id text not null,
  "position" bigint generated always as identity not null,
  psp_reference text not null,
  type text not null,
  amount_minor bigint not null,
  status text not null,
  reference text,
  metadata jsonb not null,
  reason text,
  created_at timestamp with time zone not null,
  constraint actions_are_unique PRIMARY KEY (id),
  constraint actions_psp_reference_fkey FOREIGN KEY (psp_reference) REFERENCES payments(psp_reference),
  constraint action_status_is_known CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])),
  constraint action_type_is_known CHECK (type = ANY (ARRAY['authorise'::text, 'capture'::text, 'void'::text, 'refund'::text]))
);

create table callbacks (
  id text not null,
  "position" bigint generated always as identity not null,
  gateway text not null,
  account text not null,
  psp_reference text not null,
  type text not null,
  body text not null,
  state text not null,
  fault text,
  is_held boolean default false not null,
  attempts integer default 0 not null,
  due_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint callbacks_are_unique PRIMARY KEY (id),
  constraint callback_state_is_known CHECK (state = ANY (ARRAY['due'::text, 'sending'::text, 'delivered'::text, 'lost'::text, 'abandoned'::text])),
  constraint open_callbacks_are_due CHECK ((state = ANY (ARRAY['due'::text, 'sending'::text])) = (due_at IS NOT NULL))
);

create table calls (
  id bigint generated always as identity not null,
  psp_reference text not null,
  operation text not null,
  outcome text not null,
  fault text,
  at timestamp with time zone not null,
  constraint calls_are_unique PRIMARY KEY (id)
);

create table faults (
  id bigint generated always as identity not null,
  gateway text not null,
  operation text not null,
  fault text not null,
  remaining integer not null,
  match jsonb not null,
  source text,
  created_at timestamp with time zone default now() not null,
  constraint faults_are_unique PRIMARY KEY (id),
  constraint faults_come_once_from_their_source UNIQUE (source),
  constraint remaining_is_counted_down CHECK (remaining >= 0)
);

create table idempotency_keys (
  gateway text not null,
  account text not null,
  key text not null,
  fingerprint text not null,
  claimed_by uuid,
  answer jsonb,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_are_unique PRIMARY KEY (gateway, account, key),
  constraint key_is_claimed_or_answered CHECK ((claimed_by IS NULL) <> (answer IS NULL))
);

create table latencies (
  gateway text not null,
  ms integer not null,
  constraint one_latency_per_gateway PRIMARY KEY (gateway),
  constraint latencies_ms_check CHECK (ms >= 0)
);

create table payments (
  gateway text not null,
  psp_reference text not null,
  account text not null,
  payment_intent_id text,
  reference text,
  metadata jsonb not null,
  amount_minor bigint not null,
  currency text not null,
  status text not null,
  authorised_minor bigint default 0 not null,
  captured_minor bigint default 0 not null,
  refunded_minor bigint default 0 not null,
  pending_step text,
  is_disputed boolean default false not null,
  hold_expires_at timestamp with time zone,
  details jsonb not null,
  created_at timestamp with time zone not null,
  constraint payments_are_unique PRIMARY KEY (psp_reference),
  constraint amount_is_positive CHECK (amount_minor > 0),
  constraint captured_is_within_the_hold CHECK (captured_minor >= 0 AND captured_minor <= authorised_minor),
  constraint captured_means_money CHECK ((status <> ALL (ARRAY['captured'::text, 'refunded'::text])) OR captured_minor > 0),
  constraint payment_status_is_known CHECK (status = ANY (ARRAY['created'::text, 'authorised'::text, 'captured'::text, 'voided'::text, 'refunded'::text, 'expired'::text, 'declined'::text])),
  constraint pending_step_is_known CHECK (pending_step = ANY (ARRAY['authorise'::text, 'capture'::text, 'void'::text, 'refund'::text])),
  constraint refunded_is_within_the_capture CHECK (refunded_minor >= 0 AND refunded_minor <= captured_minor),
  constraint refunded_means_all CHECK (status <> 'refunded'::text OR refunded_minor = captured_minor)
);

create table test_clocks (
  merchant_id text not null,
  ahead interval not null,
  revision bigint not null,
  constraint test_clocks_have_one_row_per_merchant PRIMARY KEY (merchant_id)
);

create table webhook_endpoints (
  gateway text not null,
  url text not null,
  key_id text not null,
  sealed_secret bytea not null,
  constraint one_endpoint_per_gateway PRIMARY KEY (gateway)
);

create table works (
  id bigint generated always as identity not null,
  gateway text not null,
  psp_reference text not null,
  kind text not null,
  step text,
  action_id text,
  callbacks text not null,
  due_at timestamp with time zone not null,
  constraint works_are_unique PRIMARY KEY (id),
  constraint work_kind_is_known CHECK (kind = ANY (ARRAY['confirm'::text, 'fail'::text, 'lapse'::text]))
);

CREATE INDEX accounts_by_secret ON accounts USING gin (secret_hashes);

CREATE INDEX accounts_of_a_merchant ON accounts USING btree (merchant_id) WHERE merchant_id IS NOT NULL;

CREATE INDEX actions_by_payment ON actions USING btree (psp_reference, "position");

CREATE INDEX callbacks_by_payment ON callbacks USING btree (psp_reference, "position");

CREATE INDEX callbacks_due ON callbacks USING btree (due_at) WHERE state = 'due'::text;

CREATE INDEX callbacks_open_by_account ON callbacks USING btree (account) WHERE state = ANY (ARRAY['due'::text, 'sending'::text]);

CREATE INDEX calls_by_payment ON calls USING btree (psp_reference, id);

CREATE INDEX faults_waiting ON faults USING btree (gateway, operation, id) WHERE remaining > 0;

CREATE INDEX payments_by_age ON payments USING btree (gateway, created_at);

CREATE INDEX payments_by_payment_intent ON payments USING btree (gateway, payment_intent_id) WHERE payment_intent_id IS NOT NULL;

CREATE INDEX payments_by_reference ON payments USING btree (gateway, reference) WHERE reference IS NOT NULL;

CREATE INDEX payments_open_by_account ON payments USING btree (account) WHERE status = ANY (ARRAY['created'::text, 'authorised'::text]);

CREATE INDEX works_by_payment ON works USING btree (psp_reference);

CREATE INDEX works_due ON works USING btree (due_at);
