--! expand

-- What operators watch is read from these when metrics are scraped: none grows with the age of the installation but the
-- second, of which the last days are read.
create index groups_unfinished on groups (mode, state)
  where state in ('open', 'partially_preauthorised', 'preauthorised', 'capturing', 'partially_paid', 'capture_failed', 'refunding');
create index groups_ended_uncollected on groups ((coalesce(expired_at, cancelled_at)))
  where coalesce(expired_at, cancelled_at) is not null;
create index intents_unknown on intents (psp_code) where unknown;
create index orders_releases_open on orders (requested_at)
  where kind = 'void' and state in ('started', 'waiting', 'unknown');
