--! expand
-- What the dashboard may do with its tables; the migrations grant it.
comment on table audit_log is 'append-only';
comment on table merchants is 'never deleted';
comment on table api_keys is 'never deleted';
comment on table gateway_connections is 'never deleted';
