--! expand

-- Since when we know that the gateway took an operation on and will say later what came of it. What was taken on may
-- show after any wait, so it never counts as undone because nothing is to be seen. Null: it gave no such answer.
alter table psp_attempts add column accepted_at timestamptz;
