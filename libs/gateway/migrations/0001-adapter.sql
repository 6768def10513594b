--! expand

-- Written before a gateway is called and completed after it answered: a row still "started" is a call whose
-- answer was lost, and says exactly what to ask about. Rows outlive their payment by years (audit), never a card.
create table psp_attempts (
  id                  uuid primary key,
  mode                text not null check (mode in ('test', 'live')),
  merchant_id         text not null,
  group_id            uuid not null,
  intent_id           uuid not null,
  attempt_id          uuid not null,
  operation           text not null check (operation in ('prepare', 'authorise', 'capture', 'void', 'refund')),
  seq                 integer not null check (seq >= 1),
  operation_id        uuid not null,
  psp_idempotency_key text not null,
  credential_version  integer not null check (credential_version >= 1),
  state               text not null check (state in ('started', 'unknown', 'succeeded', 'declined', 'failed')),
  psp_reference       text,
  amount_minor        bigint not null check (amount_minor > 0),
  currency            text not null check (currency ~ '^[A-Z]{3}$'),
  result_minor        bigint,
  sandbox_fault       text,
  failure             jsonb,
  traceparent         text,
  not_after           timestamptz,
  unless_authorised   boolean not null default false,
  started_at          timestamptz not null default clock_timestamp(),
  finished_at         timestamptz,
  -- Until then one process works on the row; afterwards any other may take it over.
  leased_until        timestamptz not null,
  constraint one_row_per_operation_and_seq unique (attempt_id, operation, seq),
  constraint one_row_per_idempotency_key unique (psp_idempotency_key),
  constraint finished_means_answered check ((finished_at is null) = (state in ('started', 'unknown')))
);
create index psp_attempts_by_psp_reference on psp_attempts (psp_reference) where psp_reference is not null;
create index psp_attempts_unanswered on psp_attempts (leased_until) where state = 'started';

-- What a gateway told us by itself: stored before it is acknowledged, applied afterwards by reading the truth.
-- Only identifiers and amounts are kept of its body, so nothing of a card can be in here.
create table callbacks (
  id                 uuid primary key,
  mode               text not null check (mode in ('test', 'live')),
  merchant_id        text not null,
  credential_version integer not null,
  account            text not null,
  event_id           text not null,
  event_type         text not null,
  -- Null where the gateway does not send our reference back (disputes): its own one finds the payment.
  attempt_id         uuid,
  psp_reference      text not null,
  -- What the callback itself says of a dispute; null when it is about something else.
  is_disputed        boolean,
  traceparent        text,
  state              text not null default 'stored' check (state in ('stored', 'applied', 'unmatched')),
  tries              integer not null default 0,
  due_at             timestamptz not null default clock_timestamp(),
  received_at        timestamptz not null default clock_timestamp(),
  applied_at         timestamptz,
  constraint one_row_per_event unique (account, event_id)
);
create index callbacks_due on callbacks (due_at) where state = 'stored';
create index callbacks_by_age on callbacks (received_at);

-- Answers that contradict what was asked for. Somebody looks at these; the hold itself is voided by the ledger.
create table quarantine (
  id            uuid primary key,
  mode          text not null check (mode in ('test', 'live')),
  merchant_id   text not null,
  intent_id     uuid not null,
  attempt_id    uuid not null,
  psp_reference text not null,
  expected_minor bigint not null,
  expected_currency text not null,
  actual_minor  bigint not null,
  actual_currency text not null,
  found_at      timestamptz not null default clock_timestamp(),
  constraint one_row_per_contradiction unique (attempt_id, actual_minor, actual_currency)
);

-- How much of a merchant's own doing in the gateway's dashboard the ledger has heard of, so that it hears each
-- amount once.
create table mirrored (
  attempt_id   uuid not null,
  operation    text not null check (operation in ('capture', 'refund')),
  amount_minor bigint not null check (amount_minor > 0),
  told_at      timestamptz not null default clock_timestamp(),
  primary key (attempt_id, operation)
);

-- Credentials are only ever added: an intent keeps the version it started with. Sealed with AES-256-GCM; the
-- row's identity is authenticated with it, so a sealed value moved to another row cannot be opened.
create table credentials (
  merchant_id text not null,
  mode        text not null check (mode in ('test', 'live')),
  version     integer not null check (version >= 1),
  account     text not null,
  key_id      text not null,
  sealed      bytea not null,
  created_at  timestamptz not null default clock_timestamp(),
  primary key (merchant_id, mode, version)
);
create index credentials_by_account on credentials (account, version desc);
