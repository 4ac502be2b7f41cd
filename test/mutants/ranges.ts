/** Long tables that are written in ranges, and joined. */
import type { Mutants } from './mutant.ts';

export const RANGES: Mutants = {
  'part-rows-are-counted': {
    rule: 'a part of a table is joined only if it has the rows that its range has',
    file: 'src/parquet/file-part.ts',
    find: '    if (rows !== part.rows) throw refuse(`has ${rows} rows, expected ${part.rows}`);',
    replace: '    if (rows < part.rows) throw refuse(`has ${rows} rows, expected ${part.rows}`);',
    caughtBy: ['test/parquet/join-parts.test.ts'],
  },
  'part-has-whole-row-groups': {
    rule: 'each part but the last has whole row groups',
    file: 'src/parquet/join-parts.ts',
    find: '    if (part !== parts.at(-1) && part.rows % group_rows !== 0)',
    replace: '    if (part === parts.at(-1) && part.rows % group_rows > group_rows)',
    caughtBy: ['test/parquet/join-parts.test.ts'],
  },
  'part-has-the-metadata-of-all': {
    rule: 'a part of another snapshot is not joined',
    file: 'src/parquet/join-parts.ts',
    find: '    if (!metadataOf(part).equals(metadata))',
    replace: '    if (metadataOf(part).length !== metadata.length)',
    caughtBy: ['test/parquet/join-parts.test.ts'],
  },
  'part-pages-follow-each-other': {
    rule: 'every byte of a part belongs to a described piece, or the part is refused',
    file: 'src/parquet/file-part.ts',
    find: "  if (at !== range.to || length < 0) throw new RangeError('names another place for a piece of the file');",
    replace: '',
    caughtBy: ['test/parquet/join-parts.test.ts'],
  },
};
