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
  'range-that-cannot-join-refuses': {
    rule: 'a connection that cannot join the moment refuses the snapshot in words',
    file: 'src/snapshot/builder/build-moment.ts',
    find: '  if (joined) return;',
    replace: '  if (joined !== null) return;',
    caughtBy: ['test/snapshot/drawn/build-in-ranges.test.ts'],
  },
  'range-failure-stops-the-build': {
    rule: 'a range that fails ends the whole build, and nothing is published',
    file: 'src/snapshot/builder/write-ranges.ts',
    find: '      stop.abort(error);',
    replace: '      void error;',
    caughtBy: ['test/snapshot/drawn/build-in-ranges.test.ts'],
  },
  'range-ends-before-the-next': {
    rule: 'each row of a table is in one range',
    file: 'src/ledger/moment/table-ranges.ts',
    find: "  return `${lower} and ${order[0]} <= ${end[0]} and ${keyed} < (${end.join(', ')})`;",
    replace: "  return `${lower} and ${order[0]} <= ${end[0]} and ${keyed} <= (${end.join(', ')})`;",
    caughtBy: ['test/ledger/moment/table-ranges.test.ts'],
  },
  'range-keys-of-the-table': {
    rule: 'ranges are cut by the rows of the own select of the table',
    file: 'src/ledger/moment/table-ranges.ts',
    find: "        from ${rows} window keys as (order by ${order.join(', ')})",
    replace: "        from ${rows.split(' where ')[0]} window keys as (order by ${order.join(', ')})",
    caughtBy: ['test/ledger/moment/table-ranges.test.ts'],
  },
  'session-is-kept-awake': {
    rule: 'the session of the moment gets statements while ranges are read',
    file: 'src/ledger/moment/keep-awake.ts',
    find: "      await client.query('select');",
    replace: '      void client;',
    caughtBy: ['test/ledger/moment/keep-awake.test.ts'],
  },
  'one-range-cuts-nothing': {
    rule: 'a build of one range asks for no key of a table',
    file: 'src/snapshot/builder/write-ranges.ts',
    find: '  if (ranges === 1) return [];',
    replace: '',
    caughtBy: ['test/snapshot/drawn/build-in-ranges.test.ts'],
  },
  'parts-stay-two-days': {
    rule: 'parts of a build are deleted two days after the last one was written, because a build may still use them',
    file: 'src/snapshot/keep/removals.ts',
    find: "    if (now > since) removals.push({ ...build, why: 'parts', since });",
    replace: "    removals.push({ ...build, why: 'parts', since });",
    caughtBy: ['test/snapshot/keep/prune-parts.test.ts'],
  },
  'parts-of-an-account-without-builds': {
    rule: 'parts are found in an account that has nothing else in the store',
    file: 'src/snapshot/read/stored-builds.ts',
    find: '    const found = build ?? comparison ?? part;',
    replace: '    const found = build ?? comparison;',
    caughtBy: ['test/snapshot/keep/prune-parts.test.ts'],
  },
};
