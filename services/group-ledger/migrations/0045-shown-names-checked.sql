--! expand
alter table intents validate constraint intents_shown_name_is_short;
