--! expand
--! no-transaction
create unique index concurrently groups_by_organiser_token on groups (organiser_token) where organiser_token is not null;
