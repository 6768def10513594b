--! expand
-- The merchant's own name of a group, for lists that ask for it; absent where none was given.
alter table groups add column client_reference text collate "C";
