--! expand
-- Payments whose payers may get mails, with the language of the mails. The address stays with the ledger, which erases it on
-- request. Gone after 400 days.
create table mailed_payments (
  payment_intent_id uuid not null,
  group_id          uuid not null,
  merchant_id       text not null,
  mode              text collate "C" not null,
  locale            text collate "C" not null,
  written_as        text collate "C" not null,
  noted_at          timestamptz(3) not null default clock_timestamp(),
  constraint mailed_payments_have_one_row_per_payment primary key (payment_intent_id),
  constraint mailed_payments_mode_is_known check (mode in ('test', 'live'))
);
create index mailed_payments_by_age on mailed_payments (noted_at);
create index mailed_payments_of_test_mode on mailed_payments (merchant_id) where mode = 'test';

-- Mails to payers. `sending` is committed before the mail server is called: a row that stays there is a mail that may have
-- arrived, and becomes `unknown`. The token of a mail's link, and the address, are stored as SHA-256 only.
create table payer_mails (
  id                uuid not null,
  event_id          uuid not null,
  payment_intent_id uuid not null,
  group_id          uuid not null,
  kind              text collate "C" not null,
  occurred_at       timestamptz(3) not null,
  state             text collate "C" not null default 'due',
  -- Why it was skipped.
  reason            text collate "C",
  attempts          smallint not null default 0,
  due_at            timestamptz(3) not null default clock_timestamp(),
  changed_at        timestamptz(3) not null default clock_timestamp(),
  address_hash      bytea,
  token_hash        bytea,
  constraint payer_mails_have_one_row_per_id primary key (id),
  constraint payer_mails_have_one_row_per_event unique (event_id, payment_intent_id, kind),
  constraint payer_mails_belong_to_a_payment foreign key (payment_intent_id)
    references mailed_payments (payment_intent_id) on delete cascade,
  constraint payer_mails_kind_is_known check (kind in ('held', 'charged', 'released', 'refunded', 'reminder')),
  constraint payer_mails_state_is_known
    check (state in ('due', 'sending', 'sent', 'skipped', 'refused', 'given_up', 'unknown')),
  constraint payer_mails_give_a_reason_when_skipped check ((state = 'skipped') = (reason is not null)),
  constraint payer_mails_that_may_have_left_have_a_link
    check (state not in ('sending', 'sent', 'unknown') or num_nonnulls(address_hash, token_hash) = 2)
);
create index payer_mails_by_due_time on payer_mails (due_at) where state = 'due';
create index payer_mails_by_start_of_sending on payer_mails (changed_at) where state = 'sending';
create index payer_mails_by_address on payer_mails (address_hash, changed_at) where address_hash is not null;
create index payer_mails_by_payment on payer_mails (payment_intent_id);
create index payer_mails_by_group on payer_mails (group_id) where kind = 'reminder';
create unique index payer_mails_have_one_row_per_token on payer_mails (token_hash) where token_hash is not null;
create unique index payer_mails_remind_once_of_a_payment on payer_mails (payment_intent_id) where kind = 'reminder';

-- Addresses that get no more mails about payments to a merchant in a mode. Kept until their payers change their mind.
create table mail_opt_outs (
  merchant_id  text not null,
  mode         text collate "C" not null,
  address_hash bytea not null,
  opted_out_at timestamptz(3) not null default clock_timestamp(),
  constraint mail_opt_outs_have_one_row_per_address primary key (merchant_id, mode, address_hash),
  constraint mail_opt_outs_mode_is_known check (mode in ('test', 'live'))
);
