--! expand
-- How far each merchant's test clock is ahead of the world, as the scheduler tells it. Live mode has no clock.
create table test_clocks (
  merchant_id text     not null,
  ahead       interval not null,
  revision    bigint   not null,
  constraint test_clocks_have_one_row_per_merchant primary key (merchant_id)
);

-- Whose clock moves the account; null until the first move.
alter table accounts add column merchant_id text;
create index accounts_of_a_merchant on accounts (merchant_id) where merchant_id is not null;

-- What a test clock moves.
create index payments_open_by_account on payments (account) where status in ('created', 'authorised');
create index callbacks_open_by_account on callbacks (account) where state in ('due', 'sending');
