--! expand
--! no-transaction
-- A page of the groups in a state, however few of a merchant's groups are in it.
create index concurrently groups_by_state on groups (merchant_id, mode, state, created_at, id);
