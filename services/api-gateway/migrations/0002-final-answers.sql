--! expand
-- A refund that every gateway refused is over although its status is 502: repeating it under the same key answers the
-- same refusal. Other 5xx are no answers: their rows stay recovery points.
alter table idempotency_keys drop constraint idempotency_keys_responses_are_final;
alter table idempotency_keys add constraint idempotency_keys_responses_are_final
  check (status between 200 and 499 or status = 502);
