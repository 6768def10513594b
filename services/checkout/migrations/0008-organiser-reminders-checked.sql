--! expand
alter table payer_mails validate constraint payer_mails_kind_is_known;
