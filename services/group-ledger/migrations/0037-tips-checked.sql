--! expand
alter table groups validate constraint groups_max_tip_is_an_amount;
