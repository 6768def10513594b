--! expand
alter table groups
  validate constraint groups_capture_minimum_is_one,
  validate constraint groups_end_by_time_has_its_instant;
