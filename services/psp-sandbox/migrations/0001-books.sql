--! expand
-- The books of the gateways the sandbox plays. No card number, no ciphertext and no readable secret is kept here:
-- secrets are sealed for the row they stand in, with the key `key_id` names, and looked up by their hash.

create table accounts (
  gateway        text not null,
  account        text not null,
  name           text not null,
  public_ids     jsonb not null,
  key_id         text not null,
  sealed_secrets bytea not null,
  -- SHA-256 of every secret that authenticates this account.
  secret_hashes  text[] not null,
  webhook_url    text,
  created_at     timestamptz not null default now(),
  constraint accounts_are_unique primary key (gateway, account),
  constraint account_names_are_unique unique (gateway, name)
);
create index accounts_by_secret on accounts using gin (secret_hashes);

-- One endpoint for all accounts of a gateway; an account's own one goes before it.
create table webhook_endpoints (
  gateway       text not null constraint one_endpoint_per_gateway primary key,
  url           text not null,
  key_id        text not null,
  sealed_secret bytea not null
);

create table payments (
  gateway           text not null,
  psp_reference     text not null,
  account           text not null,
  payment_intent_id text,
  reference         text,
  metadata          jsonb not null,
  amount_minor      bigint not null,
  currency          text not null,
  status            text not null,
  authorised_minor  bigint not null default 0,
  captured_minor    bigint not null default 0,
  refunded_minor    bigint not null default 0,
  pending_step      text,
  is_disputed       boolean not null default false,
  hold_expires_at   timestamptz,
  details           jsonb not null,
  created_at        timestamptz not null,
  constraint payments_are_unique primary key (psp_reference),
  constraint payment_status_is_known check
    (status in ('created', 'authorised', 'captured', 'voided', 'refunded', 'expired', 'declined')),
  constraint pending_step_is_known check (pending_step in ('authorise', 'capture', 'void', 'refund')),
  constraint amount_is_positive check (amount_minor > 0),
  constraint captured_is_within_the_hold check (captured_minor between 0 and authorised_minor),
  constraint refunded_is_within_the_capture check (refunded_minor between 0 and captured_minor),
  constraint refunded_means_all check (status <> 'refunded' or refunded_minor = captured_minor),
  constraint captured_means_money check (status not in ('captured', 'refunded') or captured_minor > 0)
);
create index payments_by_payment_intent on payments (gateway, payment_intent_id) where payment_intent_id is not null;
create index payments_by_reference on payments (gateway, reference) where reference is not null;
create index payments_by_age on payments (gateway, created_at);

-- Refunds, and captures, voids and authorisations that have an id of their own.
create table actions (
  id            text not null constraint actions_are_unique primary key,
  position      bigint not null generated always as identity,
  psp_reference text not null references payments (psp_reference),
  type          text not null constraint action_type_is_known check (type in ('authorise', 'capture', 'void', 'refund')),
  amount_minor  bigint not null,
  status        text not null constraint action_status_is_known check (status in ('pending', 'succeeded', 'failed')),
  reference     text,
  metadata      jsonb not null,
  reason        text,
  created_at    timestamptz not null
);
create index actions_by_payment on actions (psp_reference, position);

-- Every request that named or made a payment, with what became of it.
create table calls (
  id            bigint not null generated always as identity constraint calls_are_unique primary key,
  psp_reference text not null,
  operation     text not null,
  outcome       text not null,
  fault         text,
  at            timestamptz not null
);
create index calls_by_payment on calls (psp_reference, id);

create table faults (
  id         bigint not null generated always as identity constraint faults_are_unique primary key,
  gateway    text not null,
  operation  text not null,
  fault      text not null,
  remaining  integer not null,
  match      jsonb not null,
  -- Names the metadata a fault came from, so that repeating the request does not set it again.
  source     text constraint faults_come_once_from_their_source unique,
  created_at timestamptz not null default now(),
  constraint remaining_is_counted_down check (remaining >= 0)
);
create index faults_waiting on faults (gateway, operation, id) where remaining > 0;

create table latencies (
  gateway text not null constraint one_latency_per_gateway primary key,
  ms      integer not null check (ms >= 0)
);

create table idempotency_keys (
  gateway     text not null,
  account     text not null,
  key         text not null,
  fingerprint text not null,
  -- The run of the service that is working on it: another run's claim is a crash's leftover.
  claimed_by  uuid,
  answer      jsonb,
  created_at  timestamptz not null default now(),
  constraint idempotency_keys_are_unique primary key (gateway, account, key),
  constraint key_is_claimed_or_answered check ((claimed_by is null) <> (answer is null))
);

create table callbacks (
  id            text not null constraint callbacks_are_unique primary key,
  position      bigint not null generated always as identity,
  gateway       text not null,
  account       text not null,
  psp_reference text not null,
  type          text not null,
  body          text not null,
  state         text not null,
  -- How the next send misbehaves, once; null when it is sent faithfully.
  fault         text,
  -- Held back until a later callback of its payment has arrived.
  is_held       boolean not null default false,
  attempts      integer not null default 0,
  due_at        timestamptz,
  created_at    timestamptz not null,
  constraint callback_state_is_known check (state in ('due', 'sending', 'delivered', 'lost', 'abandoned')),
  constraint open_callbacks_are_due check ((state in ('due', 'sending')) = (due_at is not null))
);
create index callbacks_due on callbacks (due_at) where state = 'due';
create index callbacks_by_payment on callbacks (psp_reference, position);

-- What happens to a payment later without anybody calling.
create table works (
  id            bigint not null generated always as identity constraint works_are_unique primary key,
  gateway       text not null,
  psp_reference text not null,
  kind          text not null constraint work_kind_is_known check (kind in ('confirm', 'fail', 'lapse')),
  step          text,
  action_id     text,
  callbacks     text not null,
  due_at        timestamptz not null
);
create index works_due on works (due_at);
