--! expand
-- Advances that count already, each by the command it is: one that is asked for again changes nothing.
create table test_clock_advances (
  command_id  bytea       not null,
  fingerprint bytea       not null,
  merchant_id text        not null,
  asked_at    timestamptz not null default clock_timestamp(),
  constraint test_clock_advances_count_once primary key (command_id),
  constraint test_clock_advances_have_hashes check (octet_length(command_id) = 32 and octet_length(fingerprint) = 32)
);

create index test_clock_advances_by_age on test_clock_advances (asked_at);
