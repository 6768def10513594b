--! expand
--! no-transaction
create index concurrently events_by_arrival
  on events (merchant_id, mode, coalesce(listed_at, created_at), id, type) where not is_test;
