--! expand
-- What must be held for a group to be captured when its time runs out, as its creation set it: an amount or a number of
-- slots; null releases everything then. A group that is captured so has the instant of its end beside its captures. A
-- service of the release before, which does not read the columns, releases such a group: no payer is charged.
alter table groups
  add column capture_minimum_minor bigint,
  add column capture_minimum_slots smallint,
  add constraint groups_capture_minimum_is_one
    check (num_nonnulls(capture_minimum_minor, capture_minimum_slots) <= 1) not valid,
  add constraint groups_end_by_time_has_its_instant check (
    case when num_nonnulls(capture_minimum_minor, capture_minimum_slots) = 0
      then (state = 'expired') = (expired_at is not null)
      else state <> 'expired' or expired_at is not null
    end) not valid,
  drop constraint groups_state_expired_has_its_instant;
