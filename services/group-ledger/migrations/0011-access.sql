--! expand
-- What the ledger may do with its tables; the migrations grant it. The history of the money only grows.
comment on table postings is 'append-only';
comment on table transitions is 'append-only';
comment on table events is 'append-only';
comment on table groups is 'never deleted';
comment on table slots is 'never deleted';
comment on table customers is 'never deleted';
comment on table intents is 'never deleted';
comment on table attempts is 'never deleted';
comment on table orders is 'never deleted';
