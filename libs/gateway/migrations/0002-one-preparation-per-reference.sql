--! expand

-- A name a gateway knows a payment by belongs to one preparation only. Where the name is ours to give (gateway_c's
-- order number), this is what makes it unique.
create unique index one_preparation_per_reference on psp_attempts (psp_reference)
  where operation = 'prepare' and psp_reference is not null;
