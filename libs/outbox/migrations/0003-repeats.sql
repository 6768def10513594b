--! expand
-- How far the relay has published messages a second time. It begins behind what was sent before this release.
create table outbox_repeats (
  is_only boolean not null default true,
  position bigint not null,
  constraint outbox_repeats_have_one_row primary key (is_only),
  constraint outbox_repeats_have_no_second_row check (is_only)
);
insert into outbox_repeats (position) select coalesce(max(position), 0) from outbox;
