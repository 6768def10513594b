--! contract
-- What a person has to look at is kept in operator_tasks now, which every service has.
drop table alerts;
