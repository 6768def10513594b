--! expand

-- When the gateway confirmed that the keys belong to the account. Credentials without it verify no callback and replace
-- no key. Rows from before count as confirmed, and so do those that a replica of the release before adds.
alter table credentials add column verified_at timestamptz default now();
create index credentials_verified_by_account on credentials (account, mode) where verified_at is not null;

-- The merchants whose callback secret signed the callback, as [{"merchant_id", "mode"}]: several may share an account of
-- the gateway, and the payment that the callback names decides between them. Empty: merchant_id and mode alone.
alter table callbacks add column signers jsonb not null default '[]';
