/** Reads of some rows of a file: those of given numbers, and those whose values pass a test. */
import type { Mutants } from './mutant.ts';

const CAUGHT = ['test/snapshot/read/chosen-rows.test.ts'];
const PAGES = 'src/parquet/column-pages.ts';

export const SCANS: Mutants = {
  'scan-page-edge': {
    rule: 'the last row of a page is read from that page, and the next row from the next page',
    file: PAGES,
    find: '    while (to < among.length && (among[to] ?? 0) < end) to += 1;',
    replace: '    while (to < among.length && (among[to] ?? 0) < end - 1) to += 1;',
    caughtBy: CAUGHT,
  },
  'scan-empty': {
    rule: 'an empty value is tested and read as empty, and moves no value beside it',
    file: PAGES,
    find: '  for (let row = 0; row < rows; row += 1) indexes[row] = levels[row] === 0 ? -1 : present++;',
    replace: '  for (let row = 0; row < rows; row += 1) indexes[row] = present++;',
    caughtBy: CAUGHT,
  },
  'scan-once': {
    rule: 'a test is asked once for each entry of a dictionary',
    file: PAGES,
    find: '        answers[index + 1] = answer;',
    replace: '',
    caughtBy: CAUGHT,
  },
  'scan-answers': {
    rule: 'the answer for the empty value is not that for the first entry of the dictionary',
    edits: [
      {
        file: PAGES,
        find: '      let answer = answers[index + 1] ?? UNKNOWN;',
        replace: '      let answer = answers[Math.max(index, 0)] ?? UNKNOWN;',
      },
      {
        file: PAGES,
        find: '        answers[index + 1] = answer;',
        replace: '        answers[Math.max(index, 0)] = answer;',
      },
    ],
    caughtBy: CAUGHT,
  },
  'scan-every-test': {
    rule: 'a row passes only if each of its values passes',
    file: 'src/parquet/read-chosen.ts',
    find: '    rows = tested.get(name)?.matching(test, rows) ?? rows;',
    replace: '    rows = tested.get(name)?.matching(test, null) ?? rows;',
    caughtBy: CAUGHT,
  },
  'scan-numbers': {
    rule: 'the numbers of chosen rows are those of the file',
    file: 'src/parquet/read-chosen.ts',
    find: '    const numbers = isChosen ? { numbers: own.map((row) => first + row) } : {};',
    replace: '    const numbers = isChosen ? { numbers: own } : {};',
    caughtBy: CAUGHT,
  },
  'sort-exact': {
    rule: 'a sort never takes two amounts for one number',
    file: 'src/serve/rows/sort-rows.ts',
    find: '  if (isOther || !isExact) return null;',
    replace: '  if (isOther) return null;',
    caughtBy: ['test/serve/rows/sort-rows.test.ts'],
  },
  'sort-missing-last': {
    rule: 'a missing value comes after the greatest one, in both directions',
    file: 'src/serve/rows/sort-rows.ts',
    find: '  const greatest = Math.max(0, most - least + 1);',
    replace: '  const greatest = Math.max(0, most - least);',
    caughtBy: ['test/serve/rows/sort-rows.test.ts'],
  },
  'sort-digits': {
    rule: 'amounts are sorted by all of their digits',
    file: 'src/serve/rows/sort-rows.ts',
    find: '  for (let unit = 1; unit <= greatest; unit *= digits) {',
    replace: '  for (let unit = 1; unit < greatest; unit *= digits) {',
    caughtBy: ['test/serve/rows/sort-rows.test.ts'],
  },
  'turns-rare': {
    rule: 'a long read gives way as soon as its steps took three milliseconds',
    file: 'src/run/server/turns.ts',
    find: '    if (clock() - last_ms < STEP_MS) return;',
    replace: '    if (clock() - last_ms < 100 * STEP_MS) return;',
    caughtBy: ['test/run/server/turns.test.ts'],
  },
  'turns-each': {
    rule: 'a long read does not wait for other requests after each of a thousand short steps',
    file: 'src/run/server/turns.ts',
    find: '    if (clock() - last_ms < STEP_MS) return;',
    replace: '',
    caughtBy: ['test/run/server/turns.test.ts'],
  },
  'rows-progress': {
    rule: 'a page of rows that are being prepared is no second read of them',
    file: 'src/serve/rows/cached-rows.ts',
    find: '      const found = indexes.has(key) ? null : await patience.unlessSlow(key, filtered(account_id, view));',
    replace:
      '      const found = await patience.unlessSlow(key, filtered(account_id, { ...view, sha256: `${Date.now()}` }));',
    caughtBy: ['test/serve/rows/prepared-rows.test.ts'],
  },
  'rows-order-alone': {
    rule: 'the sums of rows are read once for all orders',
    file: 'src/serve/rows/cached-rows.ts',
    find: '      const found = await filtered(account_id, { ...view, query: { ...query, sort: null } }, shown);',
    replace: '      const found = await filterRows(rows, { ...query, sort: null }, of, onRows);',
    caughtBy: ['test/serve/rows/prepared-rows.test.ts'],
  },
  'sum-part': {
    rule: 'no more amounts are added as numbers than a number holds exactly',
    file: 'src/figures/row-totals.ts',
    find: 'const MAX_PART_ROWS = 32_768;',
    replace: 'const MAX_PART_ROWS = 1_000_000;',
    caughtBy: ['test/figures/row-totals.test.ts'],
  },
  'scan-differences': {
    rule: 'a number that is stored as a difference is exact, or the library reads it',
    file: 'src/parquet/unpack-differences.ts',
    find: '        if (!Number.isSafeInteger(value)) return false;',
    replace: '',
    caughtBy: ['test/parquet/unpack-differences.test.ts'],
  },
  'scan-place': {
    rule: 'a value is converted at the place where it is stored, not where it is wanted',
    file: PAGES,
    find: '  for (let index = 0; index < at.length; index += 1) found[at[index] ?? 0] = read[index];',
    replace: '  for (let index = 0; index < at.length; index += 1) found[index] = read[index];',
    caughtBy: CAUGHT,
  },
  'prepared-once': {
    rule: 'pages are prepared once for each snapshot',
    file: 'src/run/server/looked-at.ts',
    find: '      if (accounts.has(account_id)) accounts.set(account_id, newest);',
    replace: '',
    caughtBy: ['test/run/server/looked-at.test.ts'],
  },
  'prepared-stopped': {
    rule: 'a server that stops prepares no further account',
    file: 'src/run/server/looked-at.ts',
    find: '        if (!isStopped) await prepareOne(account_id);',
    replace: '        await prepareOne(account_id);',
    caughtBy: ['test/run/server/looked-at.test.ts'],
  },
  'prepared-lately': {
    rule: 'of more than sixteen accounts, those that people looked at last are prepared',
    file: 'src/run/server/looked-at.ts',
    find: '      accounts.delete(account_id);',
    replace: '',
    caughtBy: ['test/run/server/looked-at.test.ts'],
  },
  'explain-sums-damaged': {
    rule: 'a snapshot of which sums alone are damaged is answered from, compared, and listed as whole',
    file: 'src/serve/assistant/named-snapshot.ts',
    find: 'return quarantine !== null && !areDerived(quarantine.files);',
    replace: 'return quarantine !== null;',
    caughtBy: ['test/serve/assistant/explained-entries.test.ts'],
  },
  'explain-skips-damaged-alone': {
    rule: 'explain_change takes the snapshot before also if its sums alone are damaged',
    file: 'src/serve/assistant/explain_change.ts',
    find: 'each.snapshot_id < to.snapshot_id && !isDamaged(each)',
    replace: 'each.snapshot_id < to.snapshot_id && each.quarantine === null',
    caughtBy: ['test/serve/assistant/explained-entries.test.ts'],
  },
  'assistant-more-notes': {
    rule: 'the assistant says that an initiative has more notes than it shows',
    file: 'src/serve/assistant/get_initiative.ts',
    find: 'reads.notes(initiative.id, NOTES + 1)',
    replace: 'reads.notes(initiative.id, NOTES)',
    caughtBy: ['test/serve/assistant/newest-first.test.ts'],
  },
  'explain-uncompared': {
    rule: 'a pair that is not compared yet has the figures of both snapshots, and says that reasons are missing',
    file: 'src/serve/assistant/explain_change.ts',
    find: '        moved: (await movedFigures([earlier, later], id, window)).map(movedOf),',
    replace: '        moved: [],',
    caughtBy: ['test/serve/assistant/uncompared.test.ts'],
  },
};
