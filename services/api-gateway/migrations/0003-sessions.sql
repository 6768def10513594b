--! expand
-- Groups whose session tokens were revoked: tokens of an epoch before this one are dead.
create table session_epochs (
  group_id    uuid not null,
  merchant_id text not null,
  mode        text not null,
  epoch       integer not null,
  constraint session_epochs_have_one_row_per_group primary key (group_id),
  constraint session_epochs_mode_is_test_or_live check (mode in ('test', 'live'))
);

-- Projection of the web origins that merchants registered for their session tokens.
create table allowed_origins (
  merchant_id text not null,
  mode        text not null,
  origins     text[] not null,
  revision    bigint not null,
  constraint allowed_origins_have_one_row_per_mode primary key (merchant_id, mode),
  constraint allowed_origins_mode_is_test_or_live check (mode in ('test', 'live'))
);
-- A browser's first question names no merchant: is this origin anybody's?
create index allowed_origins_by_origin on allowed_origins using gin (origins);
