--! expand
-- How far each merchant's test clock is ahead of the world, as the scheduler tells it. Live mode has no clock.
create table test_clocks (
  merchant_id text     not null,
  ahead       interval not null,
  revision    bigint   not null,
  constraint test_clocks_have_one_row_per_merchant primary key (merchant_id)
);

-- What a test clock moves.
create index psp_attempts_of_a_test_merchant on psp_attempts (merchant_id, started_at) where mode = 'test';
create index callbacks_of_a_test_merchant on callbacks (merchant_id) where mode = 'test' and state = 'stored';
