--! expand
-- The run after which this one looks only at what is due; null where it looks at everything.
alter table reconciliations add column previous_id uuid;
