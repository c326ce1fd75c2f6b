-- What an import knows a chat and its messages by, and who speaks in them.

-- A message in another export of its chat: its fingerprint, and the place that it
-- keeps when its words change. '' is unknown: stored before there were any.
ALTER TABLE turns ADD COLUMN print TEXT NOT NULL DEFAULT '';
ALTER TABLE turns ADD COLUMN slot TEXT NOT NULL DEFAULT '';
ALTER TABLE turns ADD COLUMN edited INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX turns_by_print ON turns (print) WHERE print <> '';
CREATE INDEX turns_by_slot ON turns (conversation, slot) WHERE slot <> '';
CREATE INDEX turns_by_speaker ON turns (speaker);

-- Fingerprints that a message had before it was edited, so that an older export
-- doesn't bring its old words back.
CREATE TABLE turn_versions (
    conversation TEXT NOT NULL,
    print        TEXT NOT NULL,
    turn         TEXT NOT NULL,
    PRIMARY KEY (conversation, print)
) STRICT, WITHOUT ROWID;
CREATE INDEX turn_versions_by_turn ON turn_versions (conversation, turn);

-- The ids that apps give to speakers: numbers, addresses, accounts.
CREATE TABLE handles (
    name   TEXT NOT NULL,
    format TEXT NOT NULL,
    handle TEXT NOT NULL,
    PRIMARY KEY (name, format, handle)
) STRICT, WITHOUT ROWID;

-- Entries of address books. They are proposals and grant nothing.
CREATE TABLE contacts (
    name      TEXT NOT NULL,
    format    TEXT NOT NULL,
    source_id TEXT NOT NULL,
    aliases   TEXT NOT NULL,
    phones    TEXT NOT NULL,
    addresses TEXT NOT NULL,
    PRIMARY KEY (name, format, source_id)
) STRICT, WITHOUT ROWID;

-- Under which names the owner speaks, as the owner said.
CREATE TABLE owner_names (
    format TEXT NOT NULL,
    name   TEXT NOT NULL,
    id     TEXT NOT NULL,
    PRIMARY KEY (format, name, id)
) STRICT, WITHOUT ROWID;

-- Two names that the owner said are two people; in order.
CREATE TABLE people_apart (
    one   TEXT NOT NULL,
    other TEXT NOT NULL,
    PRIMARY KEY (one, other)
) STRICT, WITHOUT ROWID;
