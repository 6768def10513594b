--! expand
-- A chain of hashes over each merchant's audit log, in the order in which entries were committed: the hash of an entry
-- covers the entry and the hash before it, so that an entry that is changed, removed or put in later shows. Triggers of
-- the owner date and chain an entry, whatever the dashboard writes.
create table audit_chain (
  merchant_id uuid not null,
  position    bigint not null,
  entry_id    uuid not null,
  hash        bytea not null,
  constraint audit_chain_has_one_row_per_place primary key (merchant_id, position),
  constraint audit_chain_takes_an_entry_once unique (entry_id)
);
comment on table audit_chain is 'read-only';

-- SHA-256 of the hash before it (nothing for the first entry) and of the entry as a JSON array: merchant, position, id,
-- time, actor, action, and the details as text.
create function hash_audit_entry(previous bytea, place bigint, entry audit_log) returns bytea
language sql stable set search_path from current as $$
  select sha256(previous || convert_to(format('[%s,%s,%s,%s,%s,%s,%s]',
    to_json(entry.merchant_id::text), place, to_json(entry.id::text),
    to_json(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    to_json(entry.actor), to_json(entry.action), to_json(entry.details::text)), 'UTF8'))
$$;

create function append_audit_entry(entry audit_log) returns void
language plpgsql set search_path from current as $$
declare
  last audit_chain;
begin
  select * into last from audit_chain where merchant_id = entry.merchant_id order by position desc limit 1;
  insert into audit_chain (merchant_id, position, entry_id, hash)
  select entry.merchant_id, place, entry.id, hash_audit_entry(coalesce(last.hash, ''), place, entry)
  from (select coalesce(last.position, 0) + 1 as place) as next;
end
$$;

-- Reads the log without a lock: services write on.
do $$
declare
  entry audit_log;
begin
  for entry in select * from audit_log order by merchant_id, id loop
    perform append_audit_entry(entry);
  end loop;
end
$$;
