--! expand

-- Orders of the ledger that this adapter has accepted from the bus and not finished. A queue of the bus is served in its
-- order, whoever's messages it holds; from here they are picked by merchant. A row is deleted when its order has an
-- outcome, or has become a dead letter.
create table waiting_orders (
  position     bigint generated always as identity primary key,
  message_id   text not null,
  subject      text not null,
  operation    text not null check (operation in ('capture', 'void', 'refund', 'query')),
  mode         text not null check (mode in ('test', 'live')),
  merchant_id  text not null,
  intent_id    uuid not null,
  payload      jsonb not null,
  traceparent  text,
  -- Failures of ours; only these make an order a dead letter.
  tries        integer not null default 0,
  -- Times the order was taken, also by processes that were killed.
  hand_outs    integer not null default 0,
  -- An order in hand is due again when its process has gone.
  due_at       timestamptz not null default clock_timestamp(),
  received_at  timestamptz not null default clock_timestamp(),
  constraint one_row_per_message unique (message_id)
);
create index waiting_orders_by_merchant on waiting_orders (mode, merchant_id, operation, due_at);
create index waiting_orders_of_an_intent on waiting_orders (intent_id, operation, position);
