-- The record. Lists are JSON arrays, instants RFC 3339, "" is unknown.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value ANY
) STRICT, WITHOUT ROWID;

-- F5: sessions, their turns, and the two-party parts of group chats.
CREATE TABLE sessions (
    id            TEXT PRIMARY KEY,
    conversation  TEXT NOT NULL,
    title         TEXT NOT NULL,
    channel       TEXT NOT NULL,
    is_group      INTEGER NOT NULL,
    participants  TEXT NOT NULL,
    start_at      TEXT NOT NULL,
    start_local   TEXT NOT NULL,
    source_name   TEXT NOT NULL,
    source_format TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_conversation ON sessions (conversation);

CREATE TABLE turns (
    conversation TEXT NOT NULL,
    id           TEXT NOT NULL,
    session      TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    pos          INTEGER NOT NULL,
    speaker      TEXT NOT NULL,
    self         INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    text         TEXT NOT NULL,
    caption      TEXT NOT NULL,
    said_at      TEXT NOT NULL,
    said_local   TEXT NOT NULL,
    reply_to     TEXT NOT NULL,
    UNIQUE (conversation, id)
) STRICT;
CREATE INDEX turns_by_session ON turns (session, pos);
CREATE INDEX turns_by_id ON turns (id);

CREATE TABLE subsessions (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id      TEXT NOT NULL,
    pos     INTEGER NOT NULL,
    one     TEXT NOT NULL,
    other   TEXT NOT NULL,
    turns   TEXT NOT NULL,
    PRIMARY KEY (session, id)
) STRICT, WITHOUT ROWID;

-- F0 and F3: the native host's layers.
CREATE TABLE entries (
    id         TEXT PRIMARY KEY,
    session    TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    pos        INTEGER NOT NULL,
    text       TEXT NOT NULL,
    turns      TEXT NOT NULL,
    said_at    TEXT NOT NULL,
    said_local TEXT NOT NULL,
    terms      TEXT NOT NULL, -- words of the lexical index
    model      TEXT NOT NULL, -- of the vector
    vector     BLOB,
    revision   INTEGER NOT NULL
) STRICT;
CREATE INDEX entries_by_session ON entries (session, pos);
CREATE INDEX entries_by_revision ON entries (revision);

CREATE TABLE summaries (
    session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    text    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- F2: event-level facts with their marks.
CREATE TABLE facts (
    id             TEXT PRIMARY KEY,
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
    terms          TEXT NOT NULL,
    model          TEXT NOT NULL,
    vector         BLOB,
    revision       INTEGER NOT NULL
) STRICT;
CREATE INDEX facts_by_session ON facts (session);
CREATE INDEX facts_by_revision ON facts (revision);

-- F2 to F0.
CREATE TABLE links (
    fact  TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    pos   INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (fact, entry)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_entry ON links (entry);

CREATE TABLE event_rules (
    id      TEXT PRIMARY KEY,
    event   TEXT NOT NULL,
    kind    TEXT NOT NULL,
    value   TEXT NOT NULL,
    made_by TEXT NOT NULL,
    turn    TEXT NOT NULL,
    at      TEXT NOT NULL
) STRICT;

CREATE TABLE exemplars (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    text     TEXT NOT NULL,
    category TEXT NOT NULL,
    not_fact INTEGER NOT NULL,
    fact     TEXT NOT NULL,
    at       TEXT NOT NULL
) STRICT;

CREATE TABLE ledger (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    at        TEXT NOT NULL,
    recipient TEXT NOT NULL,
    question  TEXT NOT NULL,
    policy    TEXT NOT NULL,
    action    TEXT NOT NULL,
    permitted TEXT NOT NULL,
    answer    TEXT NOT NULL,
    told      TEXT NOT NULL,
    finished  INTEGER NOT NULL,
    redacted  INTEGER NOT NULL,
    traces    TEXT NOT NULL
) STRICT;

CREATE TABLE policy_versions (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    hash   TEXT NOT NULL,
    source BLOB NOT NULL,
    at     TEXT NOT NULL,
    author TEXT NOT NULL,
    note   TEXT NOT NULL
) STRICT;

-- What was forgotten, as keyed hashes. An import of an export brings its own key.
CREATE TABLE tombstone_keys (
    id  INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL UNIQUE
) STRICT;
CREATE TABLE tombstones (
    hash BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;
