--! expand
-- A trigger waits for open writers, so that every entry from here on is chained at its commit.
create function date_audit_entry() returns trigger language plpgsql set search_path from current as $$
begin
  new.at := date_trunc('milliseconds', clock_timestamp());
  return new;
end
$$;
create trigger audit_log_is_dated before insert on audit_log for each row execute function date_audit_entry();

-- Runs at the commit, so that the lock on a merchant's chain is the last that a transaction takes and is held briefly.
create function chain_audit_entry() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('audit:' || new.merchant_id, 0));
  perform append_audit_entry(new);
  return null;
end
$$;
create constraint trigger audit_log_is_chained after insert on audit_log
  deferrable initially deferred for each row execute function chain_audit_entry();
