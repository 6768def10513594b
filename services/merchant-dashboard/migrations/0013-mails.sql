--! expand
-- Mails that were not accepted by the mail server yet. The message is sealed: a link in it is as good as a password.
create table mails (
  id             uuid not null,
  message_key_id text not null,
  message_sealed bytea not null,
  attempts       smallint not null default 0,
  due_at         timestamptz(3) not null default clock_timestamp(),
  written_at     timestamptz(3) not null default clock_timestamp(),
  constraint mails_have_one_row_per_id primary key (id)
);
create index mails_by_due_time on mails (due_at);
