--! expand
-- When the latest payment of a customer was started. Null where no payment was started since the release that writes it:
-- a loop of the ledger fills those, and until then the first payment stands in for it.
alter table customers add column last_payment_at timestamptz(3);
