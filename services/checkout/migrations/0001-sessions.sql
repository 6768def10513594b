--! expand
-- Keys that session tokens are signed with, each mode's own. The private half is sealed, bound to its kid; the public
-- half is what the world verifies with, from the moment the row is there until no token under it can live.
create table signing_keys (
  kid         text collate "C" not null,
  mode        text collate "C" not null,
  x           text collate "C" not null,
  sealed      bytea not null,
  sealed_with text collate "C" not null,
  signs_from  timestamptz(3) not null,
  created_at  timestamptz(3) not null default clock_timestamp(),
  constraint signing_keys_have_one_row_per_kid primary key (kid),
  constraint signing_keys_mode_is_known check (mode in ('test', 'live')),
  constraint signing_keys_x_is_an_ed25519_point check (length(x) = 43)
);

-- Tokens carry the epoch they were minted in; those of an earlier one are revoked. No row means epoch 0.
create table session_epochs (
  group_id    uuid not null,
  merchant_id text not null,
  mode        text collate "C" not null,
  epoch       integer not null,
  raised_at   timestamptz(3) not null default clock_timestamp(),
  constraint session_epochs_have_one_row_per_group primary key (group_id),
  constraint session_epochs_mode_is_known check (mode in ('test', 'live')),
  constraint session_epochs_begin_at_one check (epoch >= 1)
);

-- What a token is limited to. It stays here because a browser can read its token, and whoever holds one must not learn
-- a payer's address from it. Gone when the token has ended.
create table session_limits (
  session_id     uuid not null,
  group_id       uuid not null,
  customer_email text,
  slot_ids       uuid[],
  ends_at        timestamptz(3) not null,
  constraint session_limits_have_one_row_per_session primary key (session_id),
  constraint session_limits_limit_something check (num_nonnulls(customer_email, slot_ids) > 0),
  constraint session_limits_email_is_normal check (customer_email = lower(btrim(customer_email)))
);
create index session_limits_by_end on session_limits (ends_at);
