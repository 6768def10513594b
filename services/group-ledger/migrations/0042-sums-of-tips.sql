--! expand
-- How much of what was captured, and of what went back of it, is tips. Postings that were summed before have none.
alter table posting_sums
  add column tips_in bigint not null default 0,
  add column tips_out bigint not null default 0;
