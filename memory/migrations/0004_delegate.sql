-- The delegate: conversations, what waits for the owner's word, replies of models.

-- A conversation with the readers it was begun for. Its words are those of the
-- ledger, so that forgetting finds them in one place.
CREATE TABLE conversations (
    id         TEXT PRIMARY KEY,
    recipient  TEXT NOT NULL,
    started_at TEXT NOT NULL
) STRICT;
CREATE TABLE exchanges (
    conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    pos          INTEGER NOT NULL,
    entry        INTEGER NOT NULL REFERENCES ledger (id) ON DELETE CASCADE,
    PRIMARY KEY (conversation, pos)
) STRICT, WITHOUT ROWID;

-- What somebody asked that only the owner can decide.
CREATE TABLE asks (
    id        TEXT PRIMARY KEY,
    recipient TEXT NOT NULL,
    question  TEXT NOT NULL,
    facts     TEXT NOT NULL,
    why       TEXT NOT NULL,
    asked_at  TEXT NOT NULL,
    times     INTEGER NOT NULL,
    answer    TEXT NOT NULL, -- "" open
    answer_at TEXT NOT NULL
) STRICT;

-- Replies of models by a hash of what they depend on. They hold words: forgetting
-- anything empties the table.
CREATE TABLE stage_cache (
    key   TEXT PRIMARY KEY,
    reply BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- The stages of an answer that ran offline although a model was to run them.
ALTER TABLE ledger ADD COLUMN degraded TEXT NOT NULL DEFAULT '';
