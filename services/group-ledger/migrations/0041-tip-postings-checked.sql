--! expand
alter table postings validate constraint postings_account_is_one_of_ours;
