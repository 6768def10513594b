--! expand
--! no-transaction
create index concurrently groups_by_metadata on groups using gin (metadata jsonb_path_ops) where metadata is not null;
