-- The books of the straight-line monolith: as much as the platform keeps of a payment, in one schema.
create table commands (id text primary key, answer jsonb, created_at timestamptz not null default now());
create table groups (
  id uuid primary key, name text not null, total_minor bigint not null, currency text not null, state text not null,
  sequence int not null default 0, expires_at timestamptz not null, page_token text not null unique,
  created_at timestamptz not null default now());
create index groups_by_age on groups (created_at, id);
create table slots (
  group_id uuid not null references groups, sequence_no smallint not null, id uuid not null, amount_minor bigint not null,
  state text not null, intent_id uuid, primary key (group_id, sequence_no));
create table intents (
  id uuid primary key, group_id uuid not null references groups, slot_id uuid not null, email text not null,
  amount_minor bigint not null, state text not null, psp_reference text, created_at timestamptz not null default now());
create index intents_of_a_group on intents (group_id);
create unique index intents_by_reference on intents (psp_reference) where psp_reference is not null;
create table transitions (
  id bigint generated always as identity primary key, group_id uuid not null, entity text not null, entity_id uuid not null,
  state_to text not null, decided_at timestamptz not null default now());
create index transitions_of_a_group on transitions (group_id);
create table postings (
  id bigint generated always as identity primary key, group_id uuid not null, intent_id uuid not null, account text not null,
  amount_minor bigint not null, posted_at timestamptz not null default now());
create index postings_of_a_group on postings (group_id);
create table callbacks (id text primary key, received_at timestamptz not null default now());
create table deliveries (
  id uuid primary key, group_id uuid not null, sequence int not null, type text not null, body text not null,
  due_at timestamptz not null default now(), attempts int not null default 0, done_at timestamptz, status int);
create index deliveries_due on deliveries (due_at) where done_at is null;
