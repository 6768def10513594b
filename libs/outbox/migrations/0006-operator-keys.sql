--! expand
-- The key whose signature was verified for the action; actions of older releases have none.
alter table operator_actions add column operator_key text collate "C";
