-- What a native host knows of an entry beside its words (symbolic view).
ALTER TABLE entries ADD COLUMN keywords TEXT NOT NULL DEFAULT '';
ALTER TABLE entries ADD COLUMN persons  TEXT NOT NULL DEFAULT '';
ALTER TABLE entries ADD COLUMN location TEXT NOT NULL DEFAULT '';
ALTER TABLE entries ADD COLUMN topic    TEXT NOT NULL DEFAULT '';

-- Texts that a host makes of a whole session beside its entries.
CREATE TABLE grains (
    id         TEXT PRIMARY KEY, -- session/kind
    session    TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL,
    text       TEXT NOT NULL,
    said_at    TEXT NOT NULL,
    said_local TEXT NOT NULL,
    terms      TEXT NOT NULL,
    model      TEXT NOT NULL,
    vector     BLOB,
    revision   INTEGER NOT NULL,
    UNIQUE (session, kind)
) STRICT;
CREATE INDEX grains_by_kind ON grains (kind, revision);

-- How a host ties sessions to those added before them.
CREATE TABLE associations (
    session  TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    place    INTEGER NOT NULL UNIQUE, -- in the order in which they were added
    ties     BLOB,                    -- NULL: to be made
    centre   BLOB,                    -- mean vector of its entries, with ties
    revision INTEGER NOT NULL
) STRICT;
CREATE INDEX associations_by_revision ON associations (revision);

-- The host that made the layers; "" is whichever comes first.
INSERT INTO meta (key, value) SELECT 'host', iif(EXISTS (SELECT 1 FROM entries), 'simple-1', '');
