--! expand
--! no-transaction
-- The last run of an account that had an answer for everything.
create index concurrently reconciliations_of_an_account on reconciliations (merchant_id, mode, psp_code, started_at)
  where state = 'done' and unanswered = 0;
