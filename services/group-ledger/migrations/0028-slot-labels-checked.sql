--! expand
alter table slots validate constraint slots_label_is_short;
