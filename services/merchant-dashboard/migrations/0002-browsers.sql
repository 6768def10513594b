--! expand
-- The web origins whose pages may use session tokens of a merchant in a mode: always the whole list.
create table allowed_origins (
  merchant_id uuid not null,
  mode        text collate "C" not null,
  origins     text[] not null,
  changed_at  timestamptz(3) not null default clock_timestamp(),
  constraint allowed_origins_have_one_row_per_mode primary key (merchant_id, mode),
  constraint allowed_origins_belong_to_a_merchant foreign key (merchant_id) references merchants (id),
  constraint allowed_origins_mode_is_known check (mode in ('test', 'live')),
  constraint allowed_origins_are_few check (cardinality(origins) <= 50)
);

-- Secret keys that came from browsers: somebody put them into a page.
create table key_exposures (
  key_id        uuid not null,
  origin        text not null,
  count         bigint not null,
  first_seen_at timestamptz(3) not null,
  last_seen_at  timestamptz(3) not null,
  constraint key_exposures_have_one_row_per_origin primary key (key_id, origin),
  constraint key_exposures_are_of_a_key foreign key (key_id) references api_keys (id)
);
