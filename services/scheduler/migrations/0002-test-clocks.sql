--! expand
-- Merchants' test clocks: how far their test mode is ahead of the world, and how far it is to go. Where timers are kept
-- their due times are the merchant's time; released_ms is added to the world's when they are scanned.
create table test_clocks (
  merchant_id  text     not null,
  target_ms    bigint   not null,
  -- Decided and being told under this revision; released once every service has heard of it.
  ahead_ms     bigint   not null default 0,
  revision     bigint   not null default 0,
  released_ms  bigint   not null default 0,
  is_resetting boolean  not null default false,
  -- Whether the target is reached and nothing that fell due on the way is left to do.
  is_settled   boolean  not null default false,
  worker       uuid,
  leased_until timestamptz,
  worked_at    timestamptz not null default clock_timestamp(),
  constraint test_clocks_have_one_row_per_merchant primary key (merchant_id),
  constraint test_clocks_are_never_behind check (target_ms >= 0 and ahead_ms >= 0 and released_ms >= 0),
  constraint test_clocks_settle_at_their_target
    check (not is_settled or (not is_resetting and ahead_ms = target_ms and released_ms = target_ms))
) with (fillfactor = 70);

create index test_clocks_going on test_clocks (worked_at) where not is_settled;
create index test_clocks_ahead on test_clocks (merchant_id) where released_ms > 0;

-- What of a merchant's test mode is due next; live timers are in no clock's reach.
create index timers_armed_of_a_test_merchant on timers (merchant_id, due_at) where state = 'armed' and mode = 'test';
