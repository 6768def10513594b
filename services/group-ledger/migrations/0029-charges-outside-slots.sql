--! expand
-- What was captured and refunded at the gateway under an authorization that no slot counts; of the one that counts its
-- intent has these amounts.
alter table attempts
  add column amount_captured bigint not null default 0,
  add column amount_refunded bigint not null default 0,
  add constraint attempts_take_at_most_what_they_hold
    check (amount_captured between 0 and coalesce(amount_minor, 0)) not valid,
  add constraint attempts_give_back_at_most_what_they_took
    check (amount_refunded between 0 and amount_captured) not valid;
