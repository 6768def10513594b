--! expand
-- What a key is restricted to; null for a key without that restriction.
alter table api_keys
  add column scopes            text[],
  add column expires_at        timestamptz,
  add column allowed_addresses text[];
