--! expand
-- The logo of a merchant in a mode. The name of its file begins with the hash of its bytes.
create table logos (
  merchant_id uuid not null,
  mode        text collate "C" not null,
  file        text collate "C" not null,
  content     bytea not null,
  changed_at  timestamptz(3) not null default clock_timestamp(),
  constraint logos_have_one_row_per_mode primary key (merchant_id, mode),
  constraint logos_belong_to_a_merchant foreign key (merchant_id) references merchants (id),
  constraint logos_mode_is_known check (mode in ('test', 'live'))
);
