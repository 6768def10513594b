--! expand
--! no-transaction
create index concurrently intents_of_a_customer on intents (customer_id, group_id);
