--! expand

-- Where a payer goes on to who comes back from the gateway's own page: the page that the payment was begun on.
alter table psp_attempts add column return_url text;
