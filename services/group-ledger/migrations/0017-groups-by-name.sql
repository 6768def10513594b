--! expand
--! no-transaction
create index concurrently groups_by_name on groups (merchant_id, mode, (lower(group_name) collate "C"));
