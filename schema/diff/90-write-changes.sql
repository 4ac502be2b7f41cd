-- All of it as one file, a row a line.
copy changes to 'changes.ndjson' (format json);
