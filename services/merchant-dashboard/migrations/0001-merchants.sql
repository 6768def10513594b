--! expand
create table merchants (
  id         uuid not null,
  name       text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint merchants_have_one_row_per_id primary key (id),
  constraint merchants_name_is_short check (length(name) between 1 and 100)
);

-- Counts the changes of what other services project, so that older news never override newer ones.
create table revisions (
  merchant_id uuid not null,
  mode        text collate "C" not null,
  revision    bigint not null,
  constraint revisions_have_one_row_per_mode primary key (merchant_id, mode),
  constraint revisions_mode_is_known check (mode in ('test', 'live'))
);

create table users (
  id            uuid not null,
  merchant_id   uuid not null,
  email         text not null,
  password_hash text not null,
  role          text collate "C" not null,
  created_at    timestamptz(3) not null default clock_timestamp(),
  constraint users_have_one_row_per_id primary key (id),
  constraint users_are_known_by_email unique (email),
  constraint users_email_is_normal check (email = lower(btrim(email))),
  constraint users_belong_to_a_merchant foreign key (merchant_id) references merchants (id),
  constraint users_role_is_known check (role in ('owner', 'admin', 'developer', 'support', 'viewer'))
);

-- The cookie holds the secret, this table its hash: a copy of the table opens nothing.
create table sessions (
  id_hash      bytea not null,
  user_id      uuid not null,
  created_at   timestamptz(3) not null default clock_timestamp(),
  last_seen_at timestamptz(3) not null default clock_timestamp(),
  constraint sessions_have_one_row_per_secret primary key (id_hash),
  constraint sessions_belong_to_a_user foreign key (user_id) references users (id)
);
create index sessions_by_age on sessions (created_at);

create table api_keys (
  id          uuid not null,
  merchant_id uuid not null,
  mode        text collate "C" not null,
  name        text not null,
  digest      bytea not null,
  pepper_id   text collate "C" not null,
  last4       text not null,
  created_by  text not null,
  created_at  timestamptz(3) not null default clock_timestamp(),
  revoked_at  timestamptz(3),
  constraint api_keys_have_one_row_per_id primary key (id),
  constraint api_keys_are_told_apart_by_digest unique (digest),
  constraint api_keys_belong_to_a_merchant foreign key (merchant_id) references merchants (id),
  constraint api_keys_mode_is_known check (mode in ('test', 'live')),
  constraint api_keys_name_is_short check (length(name) between 1 and 100)
);
create index api_keys_of_a_merchant on api_keys (merchant_id, created_at);

-- Which gateways are connected; their secrets live with the adapters, this table knows only the version.
create table gateway_connections (
  merchant_id uuid not null,
  mode        text collate "C" not null,
  psp_code    text collate "C" not null,
  version     integer not null,
  active      boolean not null,
  created_at  timestamptz(3) not null default clock_timestamp(),
  revoked_at  timestamptz(3),
  constraint gateway_connections_have_one_row_per_version primary key (merchant_id, mode, psp_code, version),
  constraint gateway_connections_belong_to_a_merchant foreign key (merchant_id) references merchants (id),
  constraint gateway_connections_revoked_are_not_active check (not (active and revoked_at is not null))
);
create unique index gateway_connections_one_is_active on gateway_connections (merchant_id, mode) where active;

-- Who changed what; append-only, never a secret.
create table audit_log (
  id          uuid not null,
  merchant_id uuid not null,
  actor       text not null,
  action      text collate "C" not null,
  details     jsonb not null,
  at          timestamptz(3) not null default clock_timestamp(),
  constraint audit_log_has_one_row_per_id primary key (id)
);
create index audit_log_of_a_merchant on audit_log (merchant_id, at);
