--! expand
-- The link of a group's organiser: its token, how often that was replaced, and what the merchant allowed at creation
-- (`may`, and `latest_expires_at` where an extension is allowed). Null where the group has no organiser. No decision about
-- money reads them.
alter table groups
  add column organiser_token text collate "C",
  add column organiser_link_number integer not null default 0,
  add column organiser_rights jsonb,
  add constraint groups_organiser_has_token_and_rights
    check ((organiser_token is null) = (organiser_rights is null)) not valid;
