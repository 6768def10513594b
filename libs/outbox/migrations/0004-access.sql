--! expand
-- What the service may do with its tables; the migrations grant it.
comment on table operator_tasks is 'never deleted';
comment on table operator_actions is 'append-only';
