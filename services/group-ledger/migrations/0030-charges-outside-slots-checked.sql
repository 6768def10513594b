--! expand
alter table attempts
  validate constraint attempts_take_at_most_what_they_hold,
  validate constraint attempts_give_back_at_most_what_they_took;
