--! expand
--! no-transaction
create index concurrently customers_by_name on customers (merchant_id, mode, (lower(name) collate "C")) where name is not null;
