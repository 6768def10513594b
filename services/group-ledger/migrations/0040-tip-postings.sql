--! expand
-- Tips are booked on an account of their own.
alter table postings
  add constraint postings_account_is_one_of_ours
    check (account in ('payer:authorised', 'group:held', 'merchant:captured', 'merchant:tips', 'payer:refunded')) not valid,
  drop constraint postings_account_is_known;
