--! expand
-- What the adapter may do with its tables; the migrations grant it.
comment on table psp_attempts is 'never deleted';
comment on table quarantine is 'append-only';
