-- A version of the policy that brings an earlier one back names it, so that undoing
-- again goes on from there.
ALTER TABLE policy_versions ADD COLUMN restores INTEGER NOT NULL DEFAULT 0;
