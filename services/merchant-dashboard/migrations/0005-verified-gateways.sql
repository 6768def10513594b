--! expand

-- When the gateway confirmed the keys of a connection; only then can it be active. Rows from before count as confirmed,
-- and so do those that a replica of the release before adds.
alter table gateway_connections
  add column verified_at timestamptz default now(),
  add column checked_at timestamptz,
  add constraint gateway_connections_active_are_verified check (not active or verified_at is not null);

-- What the gateway has still to be asked about.
create index gateway_connections_to_verify on gateway_connections (checked_at)
  where verified_at is null and revoked_at is null;
