--! expand
-- Keys that a user's devices keep: each logs the user in by itself. `counter` is the device's own count of its uses, 0 where
-- it counts none.
create table passkeys (
  id            uuid not null default gen_random_uuid(),
  user_id       uuid not null,
  credential_id text collate "C" not null,
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null,
  name          text not null,
  is_synced     boolean not null,
  created_at    timestamptz(3) not null default clock_timestamp(),
  last_used_at  timestamptz(3),
  constraint passkeys_have_one_row_per_id primary key (id),
  constraint passkeys_are_told_apart_by_credential unique (credential_id),
  constraint passkeys_belong_to_a_user foreign key (user_id) references users (id) on delete cascade
);
create index passkeys_of_a_user on passkeys (user_id);

-- Challenges that were issued and not answered yet; those of a registration belong to a user.
create table passkey_challenges (
  challenge_hash bytea not null,
  user_id        uuid,
  ends_at        timestamptz(3) not null,
  constraint passkey_challenges_have_one_row_each primary key (challenge_hash),
  constraint passkey_challenges_belong_to_a_user foreign key (user_id) references users (id) on delete cascade
);
create index passkey_challenges_by_end on passkey_challenges (ends_at);
