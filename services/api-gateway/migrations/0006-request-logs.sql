--! expand
-- The requests of merchants, as the API lists them to the merchants. An id is a UUID of version 7: it holds the instant of
-- the request in milliseconds, so that order, bounds of time and retention all read an index by id. Bodies are JSON
-- as text, without secrets, cards and payers; null where a request had none or none that is kept.
create table request_logs (
  id            uuid not null,
  merchant_id   text not null,
  mode          text not null,
  request_id    text not null,
  key_id        uuid,
  method        text not null,
  route         text not null,
  path          text not null,
  query         text not null,
  status        smallint not null,
  error_code    text,
  duration_ms   integer not null,
  request_body  text,
  response_body text,
  constraint request_logs_have_one_row_per_id primary key (id),
  constraint request_logs_mode_is_test_or_live check (mode in ('test', 'live'))
);

create index request_logs_of_a_merchant on request_logs (merchant_id, mode, id);
create index request_logs_by_request on request_logs (request_id);
