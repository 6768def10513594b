--! expand
-- A refund as the ledger told it last. Whoever hears of it first makes the row: the request that opened it, or the
-- ledger's news, which may overtake the request's own commit.
create table refunds (
  refund_id   uuid        not null,
  merchant_id text        not null,
  mode        text        not null,
  group_id    uuid        not null,
  -- The group's version the rest was true at; older news never replaces newer.
  version     bigint      not null,
  group_state text        not null,
  parts       jsonb       not null,
  first_seen_at timestamptz not null default clock_timestamp(),
  settled_at  timestamptz,
  constraint refunds_have_one_row_each primary key (refund_id),
  constraint refunds_mode_is_known check (mode in ('test', 'live')),
  constraint refunds_have_parts check (jsonb_typeof(parts) = 'array' and jsonb_array_length(parts) > 0)
) with (fillfactor = 70);

create index refunds_of_a_group on refunds (group_id);
create index refunds_by_age on refunds (first_seen_at);
-- What an operator looks for: refunds that are not known to have ended.
create index refunds_unsettled on refunds (first_seen_at) where settled_at is null;

-- Who asked for a refund, and what they were told. The answer is written before it is given and never changes, so that
-- a repeat of the command gets the same one although the refund has gone on since.
create table requests (
  command_id  bytea       not null,
  fingerprint bytea       not null,
  refund_id   uuid        not null references refunds on delete cascade,
  answer      jsonb,
  opened_at   timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  constraint requests_are_made_once primary key (command_id),
  constraint requests_ids_are_hashes check (octet_length(command_id) = 32 and octet_length(fingerprint) = 32),
  constraint requests_are_answered_at_a_time check ((answer is null) = (answered_at is null))
);

create index requests_of_a_refund on requests (refund_id);
create index requests_by_age on requests (opened_at);
