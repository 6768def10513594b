--! expand
alter table groups validate constraint groups_organiser_has_token_and_rights;
