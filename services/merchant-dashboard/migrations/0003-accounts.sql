--! expand
-- A session is listed and ended by an id that opens nothing. One that still waits for the second factor opens nothing
-- either. `proved_at`: when its person last gave the password or a code.
alter table sessions
  add column id                   uuid not null default gen_random_uuid(),
  add column proved_at            timestamptz(3) not null default clock_timestamp(),
  add column awaits_second_factor boolean not null default false,
  add column address              text,
  add column user_agent           text,
  add constraint sessions_are_listed_by_id unique (id);
create index sessions_of_a_user on sessions (user_id);
create index users_of_a_merchant on users (merchant_id, created_at);

-- The secret of a code generator, sealed. It counts from the first code that was right; a time step counts once.
create table second_factors (
  user_id       uuid not null,
  secret_key_id text collate "C" not null,
  secret_sealed bytea not null,
  confirmed_at  timestamptz(3),
  last_step     bigint not null default 0,
  constraint second_factors_are_one_per_user primary key (user_id),
  constraint second_factors_belong_to_a_user foreign key (user_id) references users (id) on delete cascade
);
-- Each opens once; a copy of the table opens nothing.
create table recovery_codes (
  user_id   uuid not null,
  code_hash bytea not null,
  constraint recovery_codes_are_told_apart primary key (user_id, code_hash),
  constraint recovery_codes_belong_to_a_second_factor foreign key (user_id)
    references second_factors (user_id) on delete cascade
);

-- What was mailed to somebody, by the hash of the secret in the link. Using it deletes it.
create table sign_ups (
  token_hash    bytea not null,
  merchant_name text not null,
  email         text not null,
  password_hash text not null,
  expires_at    timestamptz(3) not null,
  constraint sign_ups_have_one_row_per_token primary key (token_hash)
);
create table password_resets (
  token_hash bytea not null,
  -- Also of nobody we know: storing it must take as long.
  email      text not null,
  expires_at timestamptz(3) not null,
  constraint password_resets_have_one_row_per_token primary key (token_hash)
);
create index password_resets_of_an_email on password_resets (email);
create table invitations (
  id          uuid not null,
  token_hash  bytea not null,
  merchant_id uuid not null,
  email       text not null,
  role        text collate "C" not null,
  invited_by  text not null,
  created_at  timestamptz(3) not null default clock_timestamp(),
  expires_at  timestamptz(3) not null,
  constraint invitations_have_one_row_per_id primary key (id),
  constraint invitations_are_told_apart_by_token unique (token_hash),
  constraint invitations_invite_once unique (merchant_id, email),
  constraint invitations_belong_to_a_merchant foreign key (merchant_id) references merchants (id),
  constraint invitations_role_is_known check (role in ('owner', 'admin', 'developer', 'support', 'viewer'))
);

-- How often something was tried of late, by a name that holds no address and no e-mail.
create table tries (
  key      text collate "C" not null,
  count    integer not null,
  since    timestamptz(3) not null default clock_timestamp(),
  ends_at  timestamptz(3) not null,
  constraint tries_have_one_row_per_key primary key (key)
);
create index tries_by_end on tries (ends_at);

alter table api_keys
  add column ends_at        timestamptz(3),
  add column last_used_at   timestamptz(3),
  add column last_used_from text;
create index api_keys_ending on api_keys (ends_at) where ends_at is not null and revoked_at is null;

-- Append-only: the service's own role may not change or take away what was noted, and neither may who owns the table
-- without taking the trigger away first.
create function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end
$$;
create trigger audit_log_keeps_rows before update or delete on audit_log
  for each row execute function audit_log_is_append_only();
create trigger audit_log_keeps_all before truncate on audit_log
  for each statement execute function audit_log_is_append_only();
revoke update, delete, truncate on audit_log from current_user;
create index audit_log_of_a_merchant_by_id on audit_log (merchant_id, id);
