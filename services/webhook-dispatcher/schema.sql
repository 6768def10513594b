-- Schema webhooks, made from the migrations: never edited by hand.

comment on schema is 'plans once';

create table arrivals (
  merchant_id text not null,
  mode text not null,
  last_at timestamp with time zone not null,
  constraint arrivals_have_one_row_per_list PRIMARY KEY (merchant_id, mode)
)
with (fillfactor=50);

create table attempts (
  id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  number integer not null,
  url text not null,
  request_headers jsonb not null,
  remote_address text,
  timings jsonb not null,
  error_class text,
  http_status smallint,
  response_body text,
  outcome text not null,
  next_attempt_at timestamp with time zone,
  trace_id text,
  is_manual boolean default false not null,
  constraint attempts_have_one_row_per_id PRIMARY KEY (id)
)
partition by RANGE (id);

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

create table deliveries (
  event_id uuid not null,
  endpoint_id uuid not null,
  group_id uuid not null,
  sequence integer not null,
  status text not null,
  attempts smallint default 0 not null,
  due_at timestamp with time zone,
  claim_id uuid,
  claimed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  tries integer default 0 not null,
  resend_from text,
  resend_due_at timestamp with time zone,
  constraint deliveries_have_one_row_per_event_and_endpoint PRIMARY KEY (event_id, endpoint_id),
  constraint deliveries_are_resent_from_a_known_status CHECK (resend_from = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])),
  constraint deliveries_claimed_are_sending CHECK ((status = 'sending'::text) = (claim_id IS NOT NULL)),
  constraint deliveries_final_say_when CHECK ((status = ANY (ARRAY['delivered'::text, 'failed'::text, 'cancelled'::text])) = (settled_at IS NOT NULL)),
  constraint deliveries_open_have_a_due_time CHECK ((status = ANY (ARRAY['pending'::text, 'sending'::text])) = (due_at IS NOT NULL)),
  constraint deliveries_resent_are_open CHECK (resend_from IS NULL OR (status = ANY (ARRAY['pending'::text, 'sending'::text]))),
  constraint deliveries_resent_keep_their_own_due_time CHECK ((resend_due_at IS NOT NULL) = (NOT resend_from IS DISTINCT FROM 'pending'::text)),
  constraint deliveries_status_is_known CHECK (status = ANY (ARRAY['pending'::text, 'sending'::text, 'delivered'::text, 'failed'::text, 'held'::text, 'cancelled'::text]))
)
with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=5000);

create table endpoint_failures (
  endpoint_id uuid not null,
  failing_since timestamp with time zone not null,
  noticed_at timestamp with time zone,
  given_up_noticed_at timestamp with time zone,
  constraint endpoint_failures_have_one_row_per_endpoint PRIMARY KEY (endpoint_id),
  constraint endpoint_failures_belong_to_an_endpoint FOREIGN KEY (endpoint_id) REFERENCES endpoints(id) ON DELETE CASCADE
);

create table endpoints (
  id uuid not null,
  merchant_id text not null,
  mode text not null,
  url text not null,
  description text,
  enabled boolean default true not null,
  event_types text[] not null,
  secret_key_id text,
  secret_sealed bytea,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint endpoints_have_one_row_per_id PRIMARY KEY (id),
  constraint endpoints_description_is_short CHECK (length(description) <= 255),
  constraint endpoints_have_a_secret_until_deleted CHECK ((deleted_at IS NULL) = (secret_sealed IS NOT NULL AND secret_key_id IS NOT NULL)),
  constraint endpoints_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint endpoints_url_is_short CHECK (length(url) >= 1 AND length(url) <= 2048)
);

create table events (
  id uuid not null,
  merchant_id text not null,
  mode text not null,
  type text not null,
  group_id uuid not null,
  sequence integer not null,
  payload text not null,
  traceparent text,
  received_at timestamp with time zone not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  is_test boolean default false not null,
  listed_at timestamp with time zone,
  constraint events_have_one_row_per_id PRIMARY KEY (id),
  constraint events_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint events_sequence_starts_at_one CHECK (sequence >= 1)
);

create table inbox (
  consumer text collate "C" not null,
  message_id text collate "C" not null,
  received_at timestamp with time zone default now() not null,
  constraint inbox_takes_a_message_once PRIMARY KEY (consumer, message_id)
);

create table lanes (
  endpoint_id uuid not null,
  due_at timestamp with time zone default 'infinity'::timestamp with time zone not null,
  served_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint lanes_have_one_row_per_endpoint PRIMARY KEY (endpoint_id),
  constraint lanes_belong_to_an_endpoint FOREIGN KEY (endpoint_id) REFERENCES endpoints(id)
)
with (fillfactor=50, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=500);

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

create table recoveries (
  id uuid not null,
  endpoint_id uuid not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  status text not null,
  recovered integer default 0 not null,
  position_at timestamp with time zone not null,
  position_id uuid not null,
  due_at timestamp with time zone,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint recoveries_have_one_row_per_id PRIMARY KEY (id),
  constraint recoveries_belong_to_an_endpoint FOREIGN KEY (endpoint_id) REFERENCES endpoints(id),
  constraint recoveries_cover_a_period CHECK (since < until),
  constraint recoveries_ended_say_when CHECK ((status = 'running'::text) = (ended_at IS NULL)),
  constraint recoveries_running_have_a_due_time CHECK ((status = 'running'::text) = (due_at IS NOT NULL)),
  constraint recoveries_status_is_known CHECK (status = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text]))
);

create table retired_secrets (
  endpoint_id uuid not null,
  secret_key_id text not null,
  secret_sealed bytea not null,
  valid_until timestamp with time zone not null,
  retired_at timestamp with time zone not null,
  constraint retired_secrets_retire_once PRIMARY KEY (endpoint_id, retired_at),
  constraint retired_secrets_belong_to_an_endpoint FOREIGN KEY (endpoint_id) REFERENCES endpoints(id)
);

create table test_clocks (
  merchant_id text not null,
  ahead interval not null,
  revision bigint not null,
  constraint test_clocks_have_one_row_per_merchant PRIMARY KEY (merchant_id)
);

comment on table attempts is 'append-only';

comment on table operator_actions is 'append-only';

comment on table operator_tasks is 'never deleted';

CREATE INDEX attempts_by_endpoint ON ONLY attempts USING btree (endpoint_id, event_id);

CREATE INDEX deliveries_by_endpoint ON deliveries USING btree (endpoint_id, created_at, event_id, status);

CREATE INDEX deliveries_held_by_endpoint ON deliveries USING btree (endpoint_id, event_id) WHERE status = 'held'::text;

CREATE INDEX deliveries_open_by_lane ON deliveries USING btree (endpoint_id, due_at, event_id) WHERE status = ANY (ARRAY['pending'::text, 'sending'::text]);

CREATE INDEX deliveries_sending_by_lane ON deliveries USING btree (endpoint_id) WHERE status = 'sending'::text;

CREATE INDEX deliveries_untried_by_group ON deliveries USING btree (endpoint_id, group_id, sequence) WHERE attempts = 0 AND (status = ANY (ARRAY['pending'::text, 'sending'::text]));

CREATE INDEX endpoints_by_owner ON endpoints USING btree (merchant_id, mode, created_at) WHERE deleted_at IS NULL;

CREATE INDEX events_by_age ON events USING brin (received_at) WITH (pages_per_range='16');

CREATE INDEX events_by_arrival ON events USING btree (merchant_id, mode, COALESCE(listed_at, created_at), id, type) WHERE NOT is_test;

CREATE INDEX events_by_group ON events USING btree (group_id, sequence);

CREATE INDEX events_by_owner ON events USING btree (merchant_id, mode, created_at, id, type) WHERE NOT is_test;

CREATE INDEX inbox_by_age ON inbox USING btree (received_at);

CREATE INDEX lanes_by_due_at ON lanes USING btree (due_at);

CREATE INDEX operator_tasks_open ON operator_tasks USING btree (raised_at) WHERE resolved_at IS NULL;

CREATE INDEX outbox_unsent ON outbox USING btree ("position") WHERE sent_at IS NULL;

CREATE INDEX recoveries_by_due_at ON recoveries USING btree (due_at) WHERE status = 'running'::text;

CREATE INDEX recoveries_by_endpoint ON recoveries USING btree (endpoint_id);

CREATE UNIQUE INDEX recoveries_run_one_by_one ON recoveries USING btree (endpoint_id) WHERE status = 'running'::text;

CREATE INDEX retired_secrets_by_end ON retired_secrets USING btree (valid_until);

CREATE OR REPLACE FUNCTION first_uuid_of(day date)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'webhooks', 'pg_temp'
AS $function$
  select (lpad(to_hex(extract(epoch from day)::bigint * 1000), 12, '0') || repeat('0', 20))::uuid
$function$;

CREATE OR REPLACE FUNCTION keep_attempt_days()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'webhooks', 'pg_temp'
AS $function$
  select keep_attempt_days((clock_timestamp() at time zone 'UTC')::date)
$function$;

CREATE OR REPLACE FUNCTION keep_attempt_days(today date)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'webhooks', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  part text;
  day date;
begin
  -- Replicas take turns; the lock ends with the transaction.
  perform pg_advisory_xact_lock(hashtextextended('partitions:attempts', 0));
  for day in select generate_series(today - 1, today + 7, interval '1 day')::date loop
    part := 'attempts_p' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(quote_ident(part)) is not null;
    -- Attaching a table takes a weaker lock on the parent than creating one inside it: inserts go on.
    execute format('create table %I (like attempts including all excluding identity)', part);
    execute format('alter table attempts attach partition %I for values from (%L) to (%L)',
      part, first_uuid_of(day), first_uuid_of(day + 1));
  end loop;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'attempts'::regclass and c.relname ~ '^attempts_p\d{8}$'
      and c.relname < 'attempts_p' || to_char(today - 30, 'YYYYMMDD')
  loop
    execute format('drop table %I', part);
  end loop;
end
$function$;
