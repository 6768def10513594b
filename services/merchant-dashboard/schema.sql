-- Schema merchant, made from the migrations: never edited by hand.

create table allowed_origins (
  merchant_id uuid not null,
  mode text collate "C" not null,
  origins text[] not null,
  changed_at timestamp(3) with time zone default clock_timestamp() not null,
  settings jsonb default '{}'::jsonb not null,
  constraint allowed_origins_have_one_row_per_mode PRIMARY KEY (merchant_id, mode),
  constraint allowed_origins_belong_to_a_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint allowed_origins_are_few CHECK (cardinality(origins) <= 50),
  constraint allowed_origins_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

create table api_keys (
  id uuid not null,
  merchant_id uuid not null,
  mode text collate "C" not null,
  name text not null,
  digest bytea not null,
  pepper_id text collate "C" not null,
  last4 text not null,
  created_by text not null,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  revoked_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  last_used_from text,
  scopes text[],
  expires_at timestamp(3) with time zone,
  allowed_addresses text[] default '{}'::text[] not null,
  constraint api_keys_have_one_row_per_id PRIMARY KEY (id),
  constraint api_keys_are_told_apart_by_digest UNIQUE (digest),
  constraint api_keys_belong_to_a_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint api_keys_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text])),
  constraint api_keys_name_is_short CHECK (length(name) >= 1 AND length(name) <= 100)
);

create table audit_chain (
  merchant_id uuid not null,
  "position" bigint not null,
  entry_id uuid not null,
  hash bytea not null,
  constraint audit_chain_has_one_row_per_place PRIMARY KEY (merchant_id, "position"),
  constraint audit_chain_takes_an_entry_once UNIQUE (entry_id)
);

create table audit_log (
  id uuid not null,
  merchant_id uuid not null,
  actor text not null,
  action text collate "C" not null,
  details jsonb not null,
  at timestamp(3) with time zone default clock_timestamp() not null,
  constraint audit_log_has_one_row_per_id PRIMARY KEY (id)
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

create table gateway_connections (
  merchant_id uuid not null,
  mode text collate "C" not null,
  psp_code text collate "C" not null,
  version integer not null,
  active boolean not null,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  revoked_at timestamp(3) with time zone,
  verified_at timestamp with time zone default now(),
  checked_at timestamp with time zone,
  constraint gateway_connections_have_one_row_per_version PRIMARY KEY (merchant_id, mode, psp_code, version),
  constraint gateway_connections_belong_to_a_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint gateway_connections_active_are_verified CHECK (NOT active OR verified_at IS NOT NULL),
  constraint gateway_connections_revoked_are_not_active CHECK (NOT (active AND revoked_at IS NOT NULL))
);

create table inbox (
  consumer text collate "C" not null,
  message_id text collate "C" not null,
  received_at timestamp with time zone default now() not null,
  constraint inbox_takes_a_message_once PRIMARY KEY (consumer, message_id)
);

create table invitations (
  id uuid not null,
  token_hash bytea not null,
  merchant_id uuid not null,
  email text not null,
  role text collate "C" not null,
  invited_by text not null,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  expires_at timestamp(3) with time zone not null,
  constraint invitations_have_one_row_per_id PRIMARY KEY (id),
  constraint invitations_are_told_apart_by_token UNIQUE (token_hash),
  constraint invitations_invite_once UNIQUE (merchant_id, email),
  constraint invitations_belong_to_a_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint invitations_role_is_known CHECK (role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'support'::text, 'viewer'::text]))
);

create table key_exposures (
  key_id uuid not null,
  origin text not null,
  count bigint not null,
  first_seen_at timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone not null,
  constraint key_exposures_have_one_row_per_origin PRIMARY KEY (key_id, origin),
  constraint key_exposures_are_of_a_key FOREIGN KEY (key_id) REFERENCES api_keys(id)
);

create table known_devices (
  id_hash bytea not null,
  user_id uuid not null,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  last_seen_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint known_devices_have_one_row_per_user PRIMARY KEY (id_hash, user_id),
  constraint known_devices_belong_to_a_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table logos (
  merchant_id uuid not null,
  mode text collate "C" not null,
  file text collate "C" not null,
  content bytea not null,
  changed_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint logos_have_one_row_per_mode PRIMARY KEY (merchant_id, mode),
  constraint logos_belong_to_a_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint logos_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

create table mails (
  id uuid not null,
  message_key_id text not null,
  message_sealed bytea not null,
  attempts smallint default 0 not null,
  due_at timestamp(3) with time zone default clock_timestamp() not null,
  written_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint mails_have_one_row_per_id PRIMARY KEY (id)
);

create table merchants (
  id uuid not null,
  name text not null,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  requires_second_factor boolean default false not null,
  constraint merchants_have_one_row_per_id PRIMARY KEY (id),
  constraint merchants_name_is_short CHECK (length(name) >= 1 AND length(name) <= 100)
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

create table passkey_challenges (
  challenge_hash bytea not null,
  user_id uuid,
  ends_at timestamp(3) with time zone not null,
  session_id uuid,
  constraint passkey_challenges_have_one_row_each PRIMARY KEY (challenge_hash),
  constraint passkey_challenges_belong_to_a_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table passkeys (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  credential_id text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  is_synced boolean not null,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  last_used_at timestamp(3) with time zone,
  constraint passkeys_have_one_row_per_id PRIMARY KEY (id),
  constraint passkeys_are_told_apart_by_credential UNIQUE (credential_id),
  constraint passkeys_belong_to_a_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table password_resets (
  token_hash bytea not null,
  email text not null,
  expires_at timestamp(3) with time zone not null,
  constraint password_resets_have_one_row_per_token PRIMARY KEY (token_hash)
);

create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  constraint recovery_codes_are_told_apart PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_belong_to_a_second_factor FOREIGN KEY (user_id) REFERENCES second_factors(user_id) ON DELETE CASCADE
);

create table revisions (
  merchant_id uuid not null,
  mode text collate "C" not null,
  revision bigint not null,
  constraint revisions_have_one_row_per_mode PRIMARY KEY (merchant_id, mode),
  constraint revisions_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

create table saved_filters (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  mode text collate "C" not null,
  list text collate "C" not null,
  name text not null,
  filters jsonb not null,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint saved_filters_have_one_row_per_id PRIMARY KEY (id),
  constraint saved_filters_are_told_apart_by_name UNIQUE (user_id, mode, list, name),
  constraint saved_filters_belong_to_a_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint saved_filters_are_named_values CHECK (jsonb_typeof(filters) = 'object'::text),
  constraint saved_filters_mode_is_known CHECK (mode = ANY (ARRAY['test'::text, 'live'::text]))
);

create table second_factors (
  user_id uuid not null,
  secret_key_id text collate "C" not null,
  secret_sealed bytea not null,
  confirmed_at timestamp(3) with time zone,
  last_step bigint default 0 not null,
  constraint second_factors_are_one_per_user PRIMARY KEY (user_id),
  constraint second_factors_belong_to_a_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table sessions (
  id_hash bytea not null,
  user_id uuid not null,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  last_seen_at timestamp(3) with time zone default clock_timestamp() not null,
  id uuid default gen_random_uuid() not null,
  proved_at timestamp(3) with time zone default clock_timestamp() not null,
  awaits_second_factor boolean default false not null,
  address text,
  user_agent text,
  constraint sessions_have_one_row_per_secret PRIMARY KEY (id_hash),
  constraint sessions_are_listed_by_id UNIQUE (id),
  constraint sessions_belong_to_a_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table sign_ups (
  token_hash bytea not null,
  merchant_name text not null,
  email text not null,
  password_hash text not null,
  expires_at timestamp(3) with time zone not null,
  constraint sign_ups_have_one_row_per_token PRIMARY KEY (token_hash)
);

create table tries (
  key text collate "C" not null,
  count integer not null,
  since timestamp(3) with time zone default clock_timestamp() not null,
  ends_at timestamp(3) with time zone not null,
  constraint tries_have_one_row_per_key PRIMARY KEY (key)
);

create table users (
  id uuid not null,
  merchant_id uuid not null,
  email text not null,
  password_hash text not null,
  role text collate "C" not null,
  created_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint users_have_one_row_per_id PRIMARY KEY (id),
  constraint users_are_known_by_email UNIQUE (email),
  constraint users_belong_to_a_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint users_email_is_normal CHECK (email = lower(btrim(email))),
  constraint users_role_is_known CHECK (role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'support'::text, 'viewer'::text]))
);

comment on table api_keys is 'never deleted';

comment on table audit_chain is 'read-only';

comment on table audit_log is 'append-only';

comment on table gateway_connections is 'never deleted';

comment on table merchants is 'never deleted';

comment on table operator_actions is 'append-only';

comment on table operator_tasks is 'never deleted';

CREATE INDEX api_keys_ending ON api_keys USING btree (ends_at) WHERE ends_at IS NOT NULL AND revoked_at IS NULL;

CREATE INDEX api_keys_expiring ON api_keys USING btree (expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;

CREATE INDEX api_keys_of_a_merchant ON api_keys USING btree (merchant_id, created_at);

CREATE INDEX audit_log_of_a_merchant ON audit_log USING btree (merchant_id, at);

CREATE INDEX audit_log_of_a_merchant_by_id ON audit_log USING btree (merchant_id, id);

CREATE UNIQUE INDEX gateway_connections_one_is_active ON gateway_connections USING btree (merchant_id, mode) WHERE active;

CREATE INDEX gateway_connections_to_verify ON gateway_connections USING btree (checked_at) WHERE verified_at IS NULL AND revoked_at IS NULL;

CREATE INDEX inbox_by_age ON inbox USING btree (received_at);

CREATE INDEX known_devices_of_a_user ON known_devices USING btree (user_id, last_seen_at);

CREATE INDEX mails_by_due_time ON mails USING btree (due_at);

CREATE INDEX operator_tasks_open ON operator_tasks USING btree (raised_at) WHERE resolved_at IS NULL;

CREATE INDEX outbox_unsent ON outbox USING btree ("position") WHERE sent_at IS NULL;

CREATE INDEX passkey_challenges_by_end ON passkey_challenges USING btree (ends_at);

CREATE INDEX passkeys_of_a_user ON passkeys USING btree (user_id);

CREATE INDEX password_resets_of_an_email ON password_resets USING btree (email);

CREATE INDEX sessions_by_age ON sessions USING btree (created_at);

CREATE INDEX sessions_of_a_user ON sessions USING btree (user_id);

CREATE INDEX tries_by_end ON tries USING btree (ends_at);

CREATE INDEX users_of_a_merchant ON users USING btree (merchant_id, created_at);

CREATE OR REPLACE FUNCTION append_audit_entry(entry audit_log)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'merchant', 'pg_temp'
AS $function$
declare
  last audit_chain;
begin
  select * into last from audit_chain where merchant_id = entry.merchant_id order by position desc limit 1;
  insert into audit_chain (merchant_id, position, entry_id, hash)
  select entry.merchant_id, place, entry.id, hash_audit_entry(coalesce(last.hash, ''), place, entry)
  from (select coalesce(last.position, 0) + 1 as place) as next;
end
$function$;

CREATE OR REPLACE FUNCTION audit_log_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit log is append-only';
end
$function$;

CREATE OR REPLACE FUNCTION chain_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'merchant', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('audit:' || new.merchant_id, 0));
  perform append_audit_entry(new);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION date_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'merchant', 'pg_temp'
AS $function$
begin
  new.at := date_trunc('milliseconds', clock_timestamp());
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION hash_audit_entry(previous bytea, place bigint, entry audit_log)
 RETURNS bytea
 LANGUAGE sql
 STABLE
 SET search_path TO 'merchant', 'pg_temp'
AS $function$
  select sha256(previous || convert_to(format('[%s,%s,%s,%s,%s,%s,%s]',
    to_json(entry.merchant_id::text), place, to_json(entry.id::text),
    to_json(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    to_json(entry.actor), to_json(entry.action), to_json(entry.details::text)), 'UTF8'))
$function$;

CREATE CONSTRAINT TRIGGER audit_log_is_chained AFTER INSERT ON audit_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();

CREATE TRIGGER audit_log_is_dated BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION date_audit_entry();

CREATE TRIGGER audit_log_keeps_all BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();

CREATE TRIGGER audit_log_keeps_rows BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_is_append_only();
