--! expand
alter table intents validate constraint intents_gateway_is_a_code;
