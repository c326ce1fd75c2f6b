-- What the stages learned from feedback. A lesson is JSON of the offline stages.
CREATE TABLE supplements (
	id       TEXT PRIMARY KEY,
	stage    TEXT NOT NULL,
	language TEXT NOT NULL,
	text     TEXT NOT NULL, -- of a note; '' of a lesson
	lesson   TEXT NOT NULL, -- '' of a note
	parents  TEXT NOT NULL,
	evidence TEXT NOT NULL, -- ids of feedback
	author   TEXT NOT NULL,
	at       TEXT NOT NULL,
	gate     TEXT NOT NULL, -- figures of its trial, JSON
	status   TEXT NOT NULL,
	reason   TEXT NOT NULL
);

-- Each change of what is in force, so that any of them can be brought back.
CREATE TABLE supplement_versions (
	seq      INTEGER PRIMARY KEY AUTOINCREMENT,
	at       TEXT NOT NULL,
	active   TEXT NOT NULL, -- ids
	author   TEXT NOT NULL,
	note     TEXT NOT NULL,
	restores INTEGER NOT NULL -- the version that came back by it; 0 none
);

-- What a supplement did to the marks of a stored fact, so that it can be undone.
CREATE TABLE supplement_marks (
	supplement TEXT NOT NULL,
	fact       TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
	added      TEXT NOT NULL,
	removed    TEXT NOT NULL,
	PRIMARY KEY (supplement, fact)
);
CREATE INDEX supplement_marks_fact ON supplement_marks (fact);

-- Runs of evolution: one that was stopped goes on where it was.
CREATE TABLE evolution_runs (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	at       TEXT NOT NULL,
	seed     INTEGER NOT NULL,
	stages   TEXT NOT NULL,
	feedback TEXT NOT NULL, -- ids that it learns from
	position INTEGER NOT NULL, -- how many candidates were tried
	candidates TEXT NOT NULL, -- ids, in the order in which they are tried
	calls    INTEGER NOT NULL,
	ended    TEXT NOT NULL -- '' while it can go on
);

-- Feedback with its trace: what was in force, and what the stages said then.
ALTER TABLE feedback ADD COLUMN status TEXT NOT NULL DEFAULT 'new';
ALTER TABLE feedback ADD COLUMN supplements INTEGER NOT NULL DEFAULT 0;
ALTER TABLE feedback ADD COLUMN prompts TEXT NOT NULL DEFAULT '';
ALTER TABLE feedback ADD COLUMN was TEXT NOT NULL DEFAULT '';
