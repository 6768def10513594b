--! expand
--! no-transaction
create index concurrently callbacks_stored_by_merchant on callbacks (mode, merchant_id, due_at) where state = 'stored';
