--! expand
--! no-transaction
-- A test clock looks for what is to happen to a merchant's payments.
create index concurrently works_by_payment on works (psp_reference);
