--! expand
-- What a key is restricted to: rights (null for all), an instant at which it ends, networks it may be used from (none for
-- any).
alter table api_keys
  add column scopes            text[],
  add column expires_at        timestamptz(3),
  add column allowed_addresses text[] not null default '{}';
create index api_keys_expiring on api_keys (expires_at) where expires_at is not null and revoked_at is null;

-- A team whose members need a second factor before anything else.
alter table merchants add column requires_second_factor boolean not null default false;
