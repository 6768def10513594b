--! expand
-- The time zone in which a payer reads times, by its IANA name; null where no payment gave one. A service of the release before
-- stores none.
alter table customers
  add column time_zone text collate "C",
  add constraint customers_time_zone_is_short check (char_length(time_zone) between 1 and 64) not valid;
