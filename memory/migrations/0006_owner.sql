-- What the owner says about answers and facts, and changes that wait for the owner.

-- Feedback: what was wrong, and with which fact or answer.
CREATE TABLE feedback (
    id       INTEGER PRIMARY KEY,
    at       TEXT NOT NULL,
    kind     TEXT NOT NULL,
    fact     TEXT NOT NULL,    -- '' none
    entry    INTEGER NOT NULL, -- of the ledger; 0 none
    policy   TEXT NOT NULL,    -- hash of the policy version in force
    expected TEXT NOT NULL,    -- what would have been right
    note     TEXT NOT NULL,
    origin   TEXT NOT NULL     -- by which way it came
) STRICT;

-- A change that would let somebody learn more, asked for where the owner could not
-- be asked. Nothing of it is done until the owner agrees.
CREATE TABLE waiting_changes (
    id     INTEGER PRIMARY KEY AUTOINCREMENT, -- a number stands for one change for ever
    at     TEXT NOT NULL,
    key    TEXT NOT NULL UNIQUE, -- the same change waits once
    facts  TEXT NOT NULL,        -- that it is about: forgetting one drops it
    change TEXT NOT NULL,        -- JSON
    origin TEXT NOT NULL
) STRICT;
