--! expand
-- The public halves of the keys with which people operate the platform. A row says for ever whose key it was.
create table operator_keys (
  key        text collate "C" not null,
  name       text collate "C" not null,
  role       text collate "C" not null,
  added_at   timestamptz(3) not null default clock_timestamp(),
  added_by   text,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_by text,
  constraint operator_keys_have_one_row_per_key primary key (key),
  constraint operator_keys_are_public_halves check (key ~ '^O[A-Z2-7]{55}$'),
  constraint operator_keys_name_a_person check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  constraint operator_keys_have_a_known_role check (role in ('read', 'act', 'admin')),
  constraint operator_keys_expire_after_they_were_added check (expires_at > added_at),
  constraint operator_keys_are_revoked_by_somebody check ((revoked_at is null) = (revoked_by is null))
);
comment on table operator_keys is 'never deleted';

-- What signed commands are known by, for an hour: each is carried out once.
create table operator_proofs (
  operator_key text collate "C" not null,
  nonce        text collate "C" not null,
  spent_at     timestamptz(3) not null default clock_timestamp(),
  constraint operator_proofs_are_spent_once primary key (operator_key, nonce)
);
create index operator_proofs_by_age on operator_proofs (spent_at);
