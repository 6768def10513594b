--! expand
alter table customers validate constraint customers_time_zone_is_short;
