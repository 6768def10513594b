--! expand
--! no-transaction
create index concurrently customers_unfilled on customers (id) where last_payment_at is null;
