--! expand
-- Filters of a list that a user keeps under a name; nobody else sees them, and they go with the user.
create table saved_filters (
  id         uuid not null default gen_random_uuid(),
  user_id    uuid not null,
  mode       text collate "C" not null,
  list       text collate "C" not null,
  name       text not null,
  filters    jsonb not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint saved_filters_have_one_row_per_id primary key (id),
  constraint saved_filters_are_told_apart_by_name unique (user_id, mode, list, name),
  constraint saved_filters_belong_to_a_user foreign key (user_id) references users (id) on delete cascade,
  constraint saved_filters_mode_is_known check (mode in ('test', 'live')),
  constraint saved_filters_are_named_values check (jsonb_typeof(filters) = 'object')
);
