--! expand
--! no-transaction
create index concurrently callbacks_stored_by_payment on callbacks (psp_reference) where state = 'stored';
