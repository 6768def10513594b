--! expand
-- Browsers in which a user has logged in, by the hash of a cookie that outlives sessions. It opens nothing; it only gives
-- login tries a count of their own, and tells a login from a new browser.
create table known_devices (
  id_hash      bytea not null,
  user_id      uuid not null,
  created_at   timestamptz(3) not null default clock_timestamp(),
  last_seen_at timestamptz(3) not null default clock_timestamp(),
  constraint known_devices_have_one_row_per_user primary key (id_hash, user_id),
  constraint known_devices_belong_to_a_user foreign key (user_id) references users (id) on delete cascade
);
create index known_devices_of_a_user on known_devices (user_id, last_seen_at);
