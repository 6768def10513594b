--! expand
--! no-transaction

-- Shows whether a payment uses a version of credentials; versions without one are deleted.
create index concurrently if not exists psp_attempts_by_credentials
  on psp_attempts (merchant_id, mode, credential_version);
