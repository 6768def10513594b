--! expand
-- A mail that a group's organiser asks for. Its row has the hash of the address from the beginning, by which they are limited.
alter table payer_mails
  drop constraint payer_mails_kind_is_known,
  add constraint payer_mails_kind_is_known
    check (kind in ('held', 'charged', 'released', 'refunded', 'reminder', 'organiser_reminder')) not valid;
