--! expand
--! no-transaction
create index concurrently groups_by_reference_in_lower_case on groups (merchant_id, mode, lower(client_reference)) where client_reference is not null;
