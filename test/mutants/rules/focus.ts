/** The FOCUS file. */
import type { Mutants } from '../mutant.ts';

const CAUGHT = ['test/snapshot/audit/focus.test.ts'];

export const FOCUS: Mutants = {
  'focus-dollars': {
    rule: 'the dollars of the FOCUS file are the costs of every window (issue 31)',
    file: 'schema/focus/23-check-dollars.sql',
    find: 'where cents <> cost_cents',
    replace: 'where cents <> cost_cents and false',
    caughtBy: CAUGHT,
  },
  'focus-exact-csv': {
    rule: 'a cell of the FOCUS file has every cent of the amount',
    file: 'src/parquet/read-columns.ts',
    find: 'schema: parsed.schema.map(withoutDecimal)',
    replace: 'schema: parsed.schema',
    caughtBy: CAUGHT,
  },
  'focus-load-again': {
    rule: 'a correction of a locked month counts what is booked for it already (issue 31)',
    file: 'src/ledger/focus/plan.ts',
    find: 'locked.has(entry.booked) && baseOf(entry) === base',
    replace: 'entry.booked === claimed.bill.month && baseOf(entry) === base',
    caughtBy: ['test/ledger/focus/load-focus.test.ts'],
  },
  'focus-load-own': {
    rule: 'an export of the same account is refused: its costs would count twice (issue 31)',
    file: 'src/ledger/focus/load-focus.ts',
    find: 'if (ownSnapshot !== null && !dryRun) {',
    replace: 'if (ownSnapshot === null && ownSnapshot !== null) {',
    caughtBy: ['test/ledger/focus/load-focus.test.ts'],
  },
  'focus-load-remainder': {
    rule: 'the cents that are left go to the largest remainders',
    file: 'src/figures/spread.ts',
    find: 'compare(remainders[b] ?? 0n, remainders[a] ?? 0n)',
    replace: 'compare(remainders[a] ?? 0n, remainders[b] ?? 0n)',
    caughtBy: ['test/figures/spread.test.ts'],
  },
  'focus-negative-words': {
    rule: 'a negative amount fills the upper half of its decimal with its sign',
    file: 'src/parquet/arrow-stream.ts',
    find: 'high >> 31',
    replace: '0',
    caughtBy: ['test/parquet/decimals.test.ts'],
  },
  'focus-refused': {
    rule: 'a FOCUS file that differs from costs refuses the snapshot (issue 31)',
    file: 'src/snapshot/build/build.ts',
    find: "    ['focus-audit.json', focus?.report],\n",
    replace: '',
    caughtBy: CAUGHT,
  },
  'focus-rows': {
    rule: 'each row of the FOCUS file is its cost entry (issue 31)',
    file: 'schema/focus/21-check-rows.sql',
    find: 'where e.rows is distinct from f.rows or e.digest is distinct from f.digest',
    replace: 'where e.rows is distinct from f.rows',
    caughtBy: CAUGHT,
  },
  'focus-sums': {
    rule: 'the FOCUS file adds up to costs by currency and month (issue 31)',
    file: 'schema/focus/22-check-sums.sql',
    find: 'where r.cents is distinct from c.cents or',
    replace: 'where false and r.cents is distinct from c.cents or false and',
    caughtBy: CAUGHT,
  },
  'focus-types': {
    rule: 'the FOCUS file has the columns of FOCUS 1.2 with their types',
    file: 'schema/focus/20-check-types.sql',
    find: 'where declared.type is distinct from found.type',
    replace: 'where false',
    caughtBy: CAUGHT,
  },
};
