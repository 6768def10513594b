--! expand
-- Projection of the dashboard's API keys, without the keys: only their HMAC is known. Fed by facts that carry a
-- growing revision, so an older one arriving late changes nothing.
create table api_keys (
  key_id uuid not null,
  digest bytea not null,
  pepper_id text not null,
  merchant_id text not null,
  mode text not null,
  revoked_at timestamptz,
  revision bigint not null,
  constraint api_keys_have_one_row_per_key primary key (key_id),
  constraint api_keys_are_told_apart_by_digest unique (digest),
  constraint api_keys_digest_is_a_sha256 check (octet_length(digest) = 32),
  constraint api_keys_mode_is_test_or_live check (mode in ('test', 'live'))
);

-- One row per Idempotency-Key in use. command_id is SHA-256 of (merchant, mode, principal, key): the key's own
-- text, which a merchant may have built from anything, is not stored. The row without a response is the recovery
-- point: whoever holds an unexpired lease is working on it, and nobody else.
create table idempotency_keys (
  command_id bytea not null,
  fingerprint bytea not null,
  merchant_id text not null,
  mode text not null,
  request_id text not null,
  lease uuid not null,
  leased_until timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  status smallint,
  response bytea,
  sealed_with text,
  constraint idempotency_keys_have_one_row_per_command primary key (command_id),
  constraint idempotency_keys_name_hashes check (octet_length(command_id) = 32 and octet_length(fingerprint) = 32),
  constraint idempotency_keys_mode_is_test_or_live check (mode in ('test', 'live')),
  constraint idempotency_keys_responses_are_final check (status between 200 and 499),
  constraint idempotency_keys_responses_are_whole check (num_nulls(status, response, sealed_with) in (0, 3))
)
-- A sealed response is 1 to 10 kB: it stays in its row up to the size of a page, so that a replay reads one place.
with (toast_tuple_target = 8160);
-- What is encrypted cannot be compressed.
alter table idempotency_keys alter column response set storage external;

-- Only for the reaper.
create index idempotency_keys_by_age on idempotency_keys (created_at);
