-- Writes all changed rows to one file, one row per line.
copy changes to 'changes.ndjson' (format json);
