/** How a comparison counts entries, stops, and is told; `diff.ts` has why entries and totals moved. */
import type { Mutants } from './mutant.ts';

export const COMPARE: Mutants = {
  'diff-waiting': {
    rule: 'value that waits for a rate brings nothing',
    file: 'schema/diff/20-view-entries.sql',
    find: 'from reported_value\nwhere usd_amount_cents is not null',
    replace: 'from reported_value',
    caughtBy: ['test/diff/counted-entries.test.ts'],
  },
  'diff-begins': {
    rule: 'an entry counts in the month in which it begins',
    file: 'schema/diff/20-view-entries.sql',
    find: '  utc_month(period_start),\n  0,',
    replace: '  utc_month(coalesce(period_end, period_start)),\n  0,',
    caughtBy: ['test/diff/counted-entries.test.ts'],
  },
  'diff-effect-exact': {
    rule: 'an effect of prices is converted in exact decimals',
    file: 'schema/diff/00-view-files.sql',
    find: 'round(cents::decimal(17, 0) * usd_rate::decimal(20, 10))',
    replace: 'round(cents::double * usd_rate::double)',
    caughtBy: ['test/diff/counted-entries.test.ts'],
  },
  'diff-floor-initiative': {
    rule: 'freed capacity has a floor of its own in each initiative',
    file: 'schema/diff/40-view-effects.sql',
    find: 'partition by d.initiative_id, d.month order',
    replace: 'partition by d.month order',
    caughtBy: ['test/diff/counted-entries.test.ts'],
  },
  'diff-fiscal-freed': {
    rule: 'a fiscal year that begins in another month moves freed capacity, too',
    file: 'schema/diff/40-view-effects.sql',
    find: 'sign * cash, sign * freed,',
    replace: 'sign * cash, freed,',
    caughtBy: ['test/diff/counted-entries.test.ts'],
  },
  'diff-columns-later': {
    rule: 'columns that the later snapshot was built without are left out',
    file: 'schema/diff/05-list-columns.sql',
    find: "parquet_schema('later/*.parquet')",
    replace: "parquet_schema('earlier/*.parquet')",
    caughtBy: ['test/diff/compare.test.ts'],
  },
  'diff-closing-stops': {
    rule: 'closing the comparisons of a server stops the one that runs',
    file: 'src/run/server/diffs.ts',
    find: '      stopping.abort();\n',
    replace: '',
    caughtBy: ['test/run/server/diffs.test.ts'],
  },
  'diff-command-stops': {
    rule: 'the command stops when it is told to',
    file: 'src/commands/diff/compare.ts',
    find: 'openComparing({ snapshots, signal, root',
    replace: 'openComparing({ snapshots, signal: new AbortController().signal, root',
    caughtBy: ['test/commands/diff/diff.test.ts'],
  },
  'diff-lines-exact': {
    rule: 'the command says to the cent what a figure moved by, beyond 2^53 too',
    file: 'src/commands/diff/diff-lines.ts',
    find: 'signed(BigInt(after_cents) - BigInt(before_cents))',
    replace: 'signed(after_cents - before_cents)',
    caughtBy: ['test/commands/diff/diff-lines.test.ts'],
  },
  'diff-cursor-account': {
    rule: 'a cursor of a comparison is refused to another account',
    file: 'src/serve/reporting/diff.ts',
    find: '      account_id,\n      route: `${PATH}',
    replace: '      account_id: 0n,\n      route: `${PATH}',
    caughtBy: ['test/serve/reporting/diff.test.ts'],
  },
  'diff-cursor-from': {
    rule: 'a cursor is of one comparison: with another first snapshot it is refused',
    file: 'src/serve/reporting/diff.ts',
    find: '`${PATH} ${from.snapshot_id} ${to.snapshot_id}`',
    replace: '`${PATH} ${to.snapshot_id}`',
    caughtBy: ['test/serve/reporting/diff.test.ts'],
  },
};
