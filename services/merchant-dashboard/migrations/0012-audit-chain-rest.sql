--! expand
-- Chains the entries that services wrote between the two files before; only the chains of their merchants are locked.
do $$
declare
  entry audit_log;
begin
  for entry in
    select * from audit_log a where not exists (select from audit_chain c where c.entry_id = a.id) order by merchant_id, id
  loop
    perform pg_advisory_xact_lock(hashtextextended('audit:' || entry.merchant_id, 0));
    perform append_audit_entry(entry);
  end loop;
end
$$;
