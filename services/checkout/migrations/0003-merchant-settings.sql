--! expand
-- Settings of a merchant beside the origins, by name; one that is absent has its initial value.
alter table allowed_origins add column settings jsonb not null default '{}';
