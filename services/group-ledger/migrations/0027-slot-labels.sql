--! expand
-- What payers see beside the amount of a slot; null where the merchant gave nothing. No decision reads it.
alter table slots
  add column label text collate "C",
  add constraint slots_label_is_short check (char_length(label) between 1 and 60) not valid;
