--! expand
-- How often the token of a group's page was replaced: session tokens of an earlier number do not learn the new one.
alter table groups add column link_number integer not null default 0;
