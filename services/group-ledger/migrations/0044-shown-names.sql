--! expand
-- The name that the payer lets everybody see who has the group's link; null without that consent. A service of the release
-- before stores none and shows none.
alter table intents
  add column shown_name text collate "C",
  add constraint intents_shown_name_is_short check (char_length(shown_name) between 1 and 40) not valid;
