--! expand
--! no-transaction
create index concurrently customers_by_activity on customers (merchant_id, mode, (coalesce(last_payment_at, created_at)), id);
