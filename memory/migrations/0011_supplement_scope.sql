-- The categories that a supplement was approved for: a JSON list, '' where that isn't
-- noted. It does nothing where its theme has come to others.
ALTER TABLE supplements ADD COLUMN scope TEXT NOT NULL DEFAULT '';
