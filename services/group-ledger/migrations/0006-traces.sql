--! expand
-- The trace of the request that made the group: payments of the group and its expiry are linked to it.
alter table groups add column traceparent text collate "C";
