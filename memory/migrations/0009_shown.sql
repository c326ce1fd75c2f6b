-- The key of what a waiting change would do as the owner was last shown it: agreeing
-- to it is agreeing to nothing else. '' is nothing that was shown.
ALTER TABLE waiting_changes ADD COLUMN shown TEXT NOT NULL DEFAULT '';
