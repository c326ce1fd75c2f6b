-- The record as it was at earlier revisions.

-- The revision since which a fact is as it stands here; 0: since before the
-- history begins.
ALTER TABLE facts ADD COLUMN since INTEGER NOT NULL DEFAULT 0;

-- What a fact was before it was changed: from revision `since` on, up to but
-- without revision `until`. An import writes nothing here. Forgetting or dropping
-- the fact takes its past with it.
CREATE TABLE fact_history (
    id             TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    text           TEXT NOT NULL,
    language       TEXT NOT NULL,
    speaker        TEXT NOT NULL,
    owner_said     INTEGER NOT NULL,
    subject        TEXT NOT NULL,
    listeners      TEXT NOT NULL,
    said_at        TEXT NOT NULL,
    said_local     TEXT NOT NULL,
    happened_at    TEXT NOT NULL,
    happened_local TEXT NOT NULL,
    session        TEXT NOT NULL,
    evidence       TEXT NOT NULL,
    marks          TEXT NOT NULL,
    sessions       TEXT NOT NULL,
    source_name    TEXT NOT NULL,
    source_format  TEXT NOT NULL,
    imported_at    TEXT NOT NULL,
    since          INTEGER NOT NULL,
    until          INTEGER NOT NULL,
    PRIMARY KEY (id, since)
) STRICT;

-- The revision that added the rule; 0: before the history begins.
ALTER TABLE event_rules ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

-- When each revision was written, in microseconds since 1970 (UTC).
CREATE TABLE revisions (
    revision INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL
) STRICT;

-- The first revision that can be asked for: 1 in a new store, else the one at
-- which this step found it.
INSERT INTO meta (key, value) SELECT 'history', value FROM meta WHERE key = 'revision';
