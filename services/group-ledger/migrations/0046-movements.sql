--! expand
-- The movements of each merchant, in the order of time: of every posting whose id is less than end_id, each entry once.
create table movements (
  merchant_id  text collate "C" not null,
  mode         text collate "C" not null,
  at           timestamptz(3) not null,
  id           uuid not null,
  kind         text collate "C" not null,
  is_tip       boolean not null,
  psp_code     text collate "C" not null,
  currency     text collate "C" not null,
  amount_minor bigint not null,
  group_id     uuid not null,
  intent_id    uuid not null,
  constraint movements_have_one_row_per_entry primary key (merchant_id, mode, at, id),
  constraint movements_kind_is_known
    check (kind in ('held', 'released', 'captured', 'refunded', 'returned', 'reversed')),
  constraint movements_move_something check (amount_minor > 0)
);
create table movements_end (
  is_only boolean not null default true,
  end_id  uuid not null,
  constraint movements_end_has_one_row primary key (is_only),
  constraint movements_end_has_no_second_row check (is_only)
);
insert into movements_end (end_id) values ('00000000-0000-0000-0000-000000000000');
comment on table movements is 'append-only';
comment on table movements_end is 'never deleted';
