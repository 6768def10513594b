--! expand
-- Projection: the logos of merchants, with their bytes, which pages load from here. Null once the merchant removed it; the
-- row stays for its revision.
create table logos (
  merchant_id text not null,
  mode        text collate "C" not null,
  file        text collate "C",
  width       integer,
  height      integer,
  content     bytea,
  revision    bigint not null,
  constraint logos_have_one_row_per_mode primary key (merchant_id, mode),
  constraint logos_mode_is_known check (mode in ('test', 'live')),
  constraint logos_are_whole check (num_nonnulls(file, width, height, content) in (0, 4))
);
-- The address of a logo has the name of the file only.
create index logos_by_file on logos (file);
