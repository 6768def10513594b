--! expand
-- Which streams the relay has published to; others than these have lost what it published before.
alter table outbox_repeats add column streams text;
