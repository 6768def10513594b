--! expand
-- The part of a payment's amount that its payer added to the slots. A service of the release before reads no tip and
-- reserves without one; what it captures of a payment that has one, it books as captured for slots.
alter table intents
  add column tip_minor bigint not null default 0,
  add constraint intents_tip_is_part_of_the_amount check (tip_minor >= 0 and tip_minor < amount_minor) not valid;
