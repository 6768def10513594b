--! expand
--! no-transaction
create index concurrently payer_mails_of_organisers on payer_mails (group_id) where kind = 'organiser_reminder';
