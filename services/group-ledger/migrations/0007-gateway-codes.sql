--! expand
-- Which gateways there are is known to the registry, and a payment's gateway is one that its merchant connected. The
-- database keeps what is no code at all out. Rows of before are checked by the next file, without a lock on writers.
alter table intents
  drop constraint intents_gateway_is_known,
  add constraint intents_gateway_is_a_code check (psp_code ~ '^[a-z][a-z0-9_]{0,31}$') not valid;
