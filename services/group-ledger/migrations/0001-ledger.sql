--! expand
-- The only store of money state. A group and everything below it changes under one version check: the statement
-- that writes a decision names the version it was decided on, and writes nothing when that is gone.

create table groups (
  id                 uuid not null,
  merchant_id        text collate "C" not null,
  mode               text collate "C" not null,
  group_name         text not null,
  merchant_order_id  text collate "C" not null,
  total_minor        bigint not null,
  currency           text collate "C" not null,
  state              text collate "C" not null,
  metadata           jsonb,
  page_token         text collate "C" not null,
  expires_at         timestamptz(3) not null,
  expired_at         timestamptz(3),
  cancelled_at       timestamptz(3),
  capture_stopped_at timestamptz(3),
  version            bigint not null,
  sequence           integer not null,
  refund_number      integer not null,
  created_at         timestamptz(3) not null,
  updated_at         timestamptz(3) not null,
  constraint groups_have_one_row_per_id primary key (id),
  constraint groups_are_told_apart_by_order_id unique (merchant_id, merchant_order_id),
  constraint groups_are_found_by_page_token unique (page_token),
  constraint groups_mode_is_known check (mode in ('test', 'live')),
  constraint groups_name_is_short check (length(group_name) between 1 and 32),
  constraint groups_metadata_is_an_object check (jsonb_typeof(metadata) = 'object'),
  constraint groups_total_is_positive check (total_minor > 0),
  constraint groups_state_is_known check (state in (
    'draft', 'expired', 'cancelled', 'open', 'partially_preauthorised', 'preauthorised', 'capturing',
    'partially_paid', 'paid', 'capture_failed', 'refunding', 'partially_refunded', 'refunded', 'refund_failed')),
  constraint groups_end_collecting_one_way check (expired_at is null or cancelled_at is null),
  constraint groups_state_expired_has_its_instant check ((state = 'expired') = (expired_at is not null)),
  constraint groups_state_cancelled_has_its_instant check ((state = 'cancelled') = (cancelled_at is not null))
) with (fillfactor = 80);

-- The merchant's list, newest first: read backwards. In ascending order new rows go to the right end, whose pages
-- split full; the descending index wrote 250 bytes more of log per group.
create index groups_of_a_merchant on groups (merchant_id, mode, created_at, id);

-- Fully held groups that wait for a gateway to be connected again; almost always empty.
create index groups_waiting_for_a_gateway on groups (merchant_id, mode) where state = 'preauthorised';

-- Read and written with its group only, so it is keyed by it. One column names the intent that has the slot: two
-- live holds on one slot cannot be written down (S1). No foreign key to groups: the one statement that inserts slots
-- takes their group from the rows it inserts itself, and five checks a create cost a fifth of its time.
create table slots (
  group_id             uuid not null,
  id                   uuid not null,
  amount_minor         bigint not null,
  updated_at           timestamptz(3) not null,
  sequence_no          smallint not null,
  state                text collate "C" not null,
  assigned_customer_id uuid,
  reserved_until       timestamptz(3),
  intent_id            uuid,
  metadata             jsonb,
  constraint slots_have_one_row_per_place primary key (group_id, sequence_no),
  constraint slots_number_at_most_30 check (sequence_no between 1 and 30),
  constraint slots_amount_is_payable check (amount_minor between 1 and 99999999),
  constraint slots_metadata_is_an_object check (jsonb_typeof(metadata) = 'object'),
  constraint slots_state_is_known check (state in (
    'unassigned', 'assigned', 'expired', 'preauthorised', 'captured', 'refunded', 'cancelled')),
  constraint slots_taken_have_an_intent check (
    state not in ('assigned', 'preauthorised', 'captured', 'refunded')
    or (intent_id is not null and assigned_customer_id is not null))
) with (fillfactor = 70);

create table customers (
  id          uuid not null,
  merchant_id text collate "C" not null,
  mode        text collate "C" not null,
  email       text not null,
  name        text,
  created_at  timestamptz(3) not null default clock_timestamp(),
  updated_at  timestamptz(3) not null default clock_timestamp(),
  constraint customers_have_one_row_per_id primary key (id),
  constraint customers_are_known_by_email unique (merchant_id, mode, email),
  constraint customers_email_is_normal check (email = lower(btrim(email))),
  constraint customers_name_is_short check (length(name) <= 100)
);

create table intents (
  id                 uuid not null,
  group_id           uuid not null,
  customer_id        uuid not null,
  psp_code           text collate "C" not null,
  credential_version integer not null,
  amount_minor       bigint not null,
  slot_ids           uuid[] not null,
  state              text collate "C" not null,
  unknown            boolean not null,
  winning_attempt_id uuid,
  declines           smallint not null,
  renewals           smallint not null,
  capture_before     timestamptz(3),
  amount_captured    bigint not null,
  amount_refunded    bigint not null,
  disputed           boolean not null,
  superseded_by      uuid,
  failure            jsonb,
  -- The trace of the request that began the payment: whatever happens to it later is told there.
  traceparent        text collate "C",
  created_at         timestamptz(3) not null,
  constraint intents_have_one_row_per_id primary key (id),
  constraint intents_belong_to_a_group foreign key (group_id) references groups (id),
  constraint intents_cover_slots check (cardinality(slot_ids) between 1 and 30),
  constraint intents_state_is_known check (state in (
    'created', 'processing', 'preauthorised', 'capture_pending', 'captured', 'refund_pending', 'refunded',
    'failed', 'void_pending', 'voided', 'capture_failed')),
  constraint intents_gateway_is_known check (psp_code in ('gateway_a', 'gateway_b', 'gateway_c')),
  constraint intents_give_back_at_most_what_they_took check (amount_refunded <= amount_captured),
  constraint intents_holding_have_a_winner check (
    state not in ('preauthorised', 'capture_pending', 'captured', 'refund_pending', 'refunded')
    or winning_attempt_id is not null)
) with (fillfactor = 70);
create index intents_of_a_group on intents (group_id);

create table attempts (
  id             uuid not null,
  intent_id      uuid not null,
  group_id       uuid not null,
  seq            smallint not null,
  state          text collate "C" not null,
  amount_minor   bigint,
  capture_before timestamptz(3),
  psp_reference  text,
  started_at     timestamptz(3) not null,
  constraint attempts_have_one_row_per_id primary key (id),
  constraint attempts_of_an_intent_are_numbered unique (intent_id, seq),
  constraint attempts_belong_to_an_intent foreign key (intent_id) references intents (id),
  constraint attempts_state_is_known check (state in (
    'started', 'unknown', 'authorised', 'declined', 'absent', 'cancelled', 'voided'))
) with (fillfactor = 70);
create index attempts_of_a_group on attempts (group_id);

-- Orders to a gateway: captures, voids and refund lines are one shape with a kind.
create table orders (
  id                uuid not null,
  group_id          uuid not null,
  kind              text collate "C" not null,
  intent_id         uuid not null,
  attempt_id        uuid not null,
  operation_id      uuid not null,
  seq               smallint not null,
  state             text collate "C" not null,
  requested_at      timestamptz(3) not null,
  unless_authorised boolean,
  refund_id         uuid,
  refund_number     integer,
  source            text collate "C",
  amount_minor      bigint,
  failure           jsonb,
  constraint orders_have_one_row_per_id primary key (id),
  constraint orders_belong_to_an_intent foreign key (intent_id) references intents (id),
  constraint orders_kind_is_known check (kind in ('capture', 'void', 'refund')),
  constraint orders_state_fits_their_kind check (
    state in ('started', 'waiting', 'unknown')
    or (kind = 'capture' and state in ('captured', 'failed', 'stopped'))
    or (kind = 'void' and state in ('confirmed', 'withdrawn', 'lapsed', 'refused'))
    or (kind = 'refund' and state in ('refunded', 'failed', 'reversed'))),
  constraint orders_of_refunds_are_complete check (
    (kind = 'refund') = (refund_id is not null and refund_number is not null and source is not null
                         and amount_minor is not null))
) with (fillfactor = 70);
create index orders_of_a_group on orders (group_id);
-- S7, repeated by the database: one capture per intent, one void per hold, one open refund per intent (E2).
create unique index orders_capture_an_intent_once on orders (intent_id) where kind = 'capture';
create unique index orders_void_an_attempt_once on orders (attempt_id) where kind = 'void';
create unique index orders_refund_an_intent_one_at_a_time on orders (intent_id)
  where kind = 'refund' and state in ('started', 'waiting', 'unknown');

-- Double entry, append-only: the legs of an entry sum to zero (S8).
create table postings (
  id            uuid not null,
  group_id      uuid not null,
  entry_id      uuid not null,
  account       text collate "C" not null,
  amount_minor  bigint not null,
  intent_id     uuid not null,
  attempt_id    uuid not null,
  -- Null where money moved without a change of state: a partial refund in the gateway's own dashboard.
  transition_id uuid,
  posted_at     timestamptz(3) not null,
  constraint postings_have_one_row_per_id primary key (id),
  constraint postings_account_is_known check (account in (
    'payer:authorised', 'group:held', 'merchant:captured', 'payer:refunded')),
  constraint postings_move_something check (amount_minor <> 0)
);
create index postings_of_a_group on postings (group_id);

-- What happened, who asked, in which trace (Q32); append-only.
create table transitions (
  id            uuid not null,
  group_id      uuid not null,
  entity        text collate "C" not null,
  entity_id     uuid not null,
  state_from    text collate "C",
  state_to      text collate "C" not null,
  trigger       text collate "C" not null,
  actor         text collate "C" not null,
  command_id    text collate "C",
  trace_id      text collate "C",
  group_version bigint not null,
  decided_at    timestamptz(3) not null,
  constraint transitions_have_one_row_per_id primary key (id),
  constraint transitions_entity_is_known check (entity in ('group', 'slot', 'intent', 'attempt'))
);
create index transitions_of_a_group on transitions (group_id);

-- One row per event a merchant is owed (S10): its place in the group's sequence, and at most one of a type for a
-- subject and version (F6).
create table events (
  group_id      uuid not null,
  sequence      integer not null,
  id            uuid not null,
  type          text collate "C" not null,
  subject_id    uuid not null,
  group_version bigint not null,
  occurred_at   timestamptz(3) not null,
  constraint events_have_one_place_in_their_group primary key (group_id, sequence),
  constraint events_tell_a_fact_once unique (group_id, type, subject_id, group_version)
);

-- Something a person has to look at; the same key is the same matter, which is open again when it happens again.
create table alerts (
  key         text collate "C" not null,
  group_id    uuid not null,
  intent_id   uuid,
  code        text collate "C" not null,
  raised_at   timestamptz(3) not null default clock_timestamp(),
  resolved_at timestamptz(3),
  constraint alerts_have_one_row_per_matter primary key (key)
);
create index alerts_unresolved on alerts (raised_at) where resolved_at is null;

-- Commands that must not run twice: the id is unique, the fingerprint tells a repeat from a misuse (Q12).
create table commands (
  id          bytea not null,
  fingerprint bytea not null,
  group_id    uuid not null,
  intent_id   uuid,
  refund_id   uuid,
  created_at  timestamptz(3) not null default clock_timestamp(),
  constraint commands_run_once primary key (id)
);
-- Only for the reaper.
create index commands_by_age on commands using brin (created_at);

-- Merchants' gateway connections as the dashboard tells them. News may come twice and out of order: `revision` is
-- that of the newest news about the row, `activated_revision` that of the newest which called it the active one.
create table gateway_connections (
  merchant_id        text collate "C" not null,
  mode               text collate "C" not null,
  psp_code           text collate "C" not null,
  version            integer not null,
  active             boolean not null,
  revoked_at         timestamptz(3),
  revision           bigint not null,
  activated_revision bigint not null,
  constraint gateway_connections_have_one_row_per_version primary key (merchant_id, mode, psp_code, version)
);
create unique index gateway_connections_one_is_active on gateway_connections (merchant_id, mode) where active;
