--! expand
-- The most that each payment of a group may add to its slots, as the creation set it; null where payers may add nothing.
alter table groups
  add column max_tip_minor bigint,
  add constraint groups_max_tip_is_an_amount check (max_tip_minor > 0) not valid;
