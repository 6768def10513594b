--! expand
-- Projection: the gateway that new payments of a merchant go to in a mode; null once its connection was revoked. A page
-- prepares the browser by it, and the ledger decides.
create table active_gateways (
  merchant_id text not null,
  mode        text collate "C" not null,
  psp_code    text collate "C",
  version     integer not null,
  revision    bigint not null,
  constraint active_gateways_have_one_row_per_mode primary key (merchant_id, mode),
  constraint active_gateways_mode_is_known check (mode in ('test', 'live'))
);

-- Projection: the web origins that merchants registered, whose pages may hold the widget and ask with session tokens.
create table allowed_origins (
  merchant_id text not null,
  mode        text collate "C" not null,
  origins     text[] not null,
  revision    bigint not null,
  constraint allowed_origins_have_one_row_per_mode primary key (merchant_id, mode),
  constraint allowed_origins_mode_is_known check (mode in ('test', 'live'))
);
-- The widget's frame is opened before anybody has said for which merchant.
create index allowed_origins_by_origin on allowed_origins using gin (origins);

-- The merchant's page that a payer left for a bank, by the payment he left it with. Gone after a day.
create table payer_returns (
  payment_intent_id uuid not null,
  group_id          uuid not null,
  address           text not null,
  kept_at           timestamptz(3) not null default clock_timestamp(),
  constraint payer_returns_have_one_row_per_payment primary key (payment_intent_id)
);
create index payer_returns_by_age on payer_returns (kept_at);
