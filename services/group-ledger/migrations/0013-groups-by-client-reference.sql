--! expand
--! no-transaction
create index concurrently groups_by_client_reference on groups (merchant_id, mode, client_reference, created_at, id) where client_reference is not null;
