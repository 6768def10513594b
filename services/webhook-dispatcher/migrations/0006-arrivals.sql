--! expand
-- Where an event stands in the list of its merchant's events; null for events from before this migration, which stand at
-- the time of their creation.
alter table events add column listed_at timestamptz;

-- The last place that was given. Its row is locked until the events are committed, so places grow in the order in which
-- events become visible.
create table arrivals (
  merchant_id text        not null,
  mode        text        not null,
  last_at     timestamptz not null,
  constraint arrivals_have_one_row_per_list primary key (merchant_id, mode)
) with (fillfactor = 50);
