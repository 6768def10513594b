--! expand
-- How often the link of a group's page was replaced, as far as this service knows.
alter table session_epochs add column link integer not null default 0;
