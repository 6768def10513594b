--! expand
-- Endpoints of live mode that have acknowledged nothing for hours, and what was published about each; a row goes with the
-- first acknowledgement.
create table endpoint_failures (
  endpoint_id         uuid        not null,
  failing_since       timestamptz not null,
  noticed_at          timestamptz,
  given_up_noticed_at timestamptz,
  constraint endpoint_failures_have_one_row_per_endpoint primary key (endpoint_id),
  constraint endpoint_failures_belong_to_an_endpoint foreign key (endpoint_id) references endpoints (id) on delete cascade
);
