-- Bearer tokens of the server: who speaks with each, and never the token itself.
CREATE TABLE tokens (
    id             TEXT PRIMARY KEY,     -- public; derived from the hash
    hash           BLOB NOT NULL UNIQUE, -- SHA-256 of the token
    owner          INTEGER NOT NULL,
    people         TEXT NOT NULL,        -- whom it is bound to: a list of ids and names
    purpose        TEXT NOT NULL,
    cap            INTEGER NOT NULL,     -- 0: none
    keep_whitelist INTEGER NOT NULL,
    created        TEXT NOT NULL,
    expires        TEXT NOT NULL,        -- '': never
    used           TEXT NOT NULL,        -- last, to the hour; '': never
    revoked        TEXT NOT NULL         -- '': it is not
) STRICT;
