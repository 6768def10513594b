--! expand
-- The session in which a challenge was issued to prove the identity again. Challenges of logins have neither a user nor a
-- session, those of registrations a user only, so that no challenge serves for another purpose.
alter table passkey_challenges add column session_id uuid;
