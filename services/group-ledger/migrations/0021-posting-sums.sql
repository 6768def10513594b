--! expand
-- Sums of postings by quarter of an hour: of every posting whose id is less than end_id, each once. All time zones begin
-- their days at a quarter. Amounts by direction; what went to and came from payer:authorised follows from the others.
create table posting_sums (
  merchant_id  text collate "C" not null,
  mode         text collate "C" not null,
  quarter      timestamptz(3) not null,
  psp_code     text collate "C" not null,
  currency     text collate "C" not null,
  held_in      bigint not null,
  held_out     bigint not null,
  captured_in  bigint not null,
  captured_out bigint not null,
  refunded_in  bigint not null,
  refunded_out bigint not null,
  constraint posting_sums_have_one_row_per_quarter primary key (merchant_id, mode, quarter, psp_code, currency)
);
create table posting_sums_end (
  is_only boolean not null default true,
  end_id  uuid not null,
  constraint posting_sums_end_has_one_row primary key (is_only),
  constraint posting_sums_end_has_no_second_row check (is_only)
);
insert into posting_sums_end (end_id) values ('00000000-0000-0000-0000-000000000000');
comment on table posting_sums is 'never deleted';
comment on table posting_sums_end is 'never deleted';
