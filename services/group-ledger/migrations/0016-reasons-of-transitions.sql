--! expand
-- The reason of a transition to a failed state, in words that a merchant may read, and the gateway's name of the payment where
-- an outcome of the gateway led to the transition.
alter table transitions add column failure jsonb, add column psp_reference text collate "C";
