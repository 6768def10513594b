--! expand
-- Names of the browser that opened a payment: what belongs to the payment is not shown to another one (A4).
alter table intents add column requesters text[];
