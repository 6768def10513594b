--! expand
-- The merchant's name as banks and issuers show it to payers; null for accounts that were opened without one.
alter table accounts add column display_name text;
