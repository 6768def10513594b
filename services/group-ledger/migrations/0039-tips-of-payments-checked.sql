--! expand
alter table intents validate constraint intents_tip_is_part_of_the_amount;
