--! expand
--! no-transaction
create index concurrently attempts_by_reference on attempts (psp_reference) where psp_reference is not null;
