--! expand
--! no-transaction
create index concurrently intents_disputed on intents (group_id) where disputed;
