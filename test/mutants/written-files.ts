/** Rules that no test held until a fault was planted: of written files, lists, loads, bills and pages. */
import type { Mutants } from './mutant.ts';

export const WRITTEN_FILES: Mutants = {
  'written-csv-whole': {
    rule: 'a CSV file that a command could not write to its end is deleted',
    file: 'src/commands/actions/csv.ts',
    find: '    await rm(to);\n',
    replace: '',
    caughtBy: ['test/commands/warehouse.test.ts'],
  },
  'written-profile-whole': {
    rule: 'a profile is deleted if its token could not be stored',
    file: 'src/commands/actions/profile-file.ts',
    find: 'if (!isWritten) await rm(path);',
    replace: 'if (path === null) await rm(path);',
    caughtBy: ['test/commands/token.test.ts'],
  },
  'written-front-snapshot': {
    rule: 'the navigation of the overview keeps a chosen snapshot',
    file: 'src/serve/money/front-page.ts',
    find: 'return { body, ...(asked.snapshot !== null && { snapshot: asked.snapshot }) };',
    replace: 'return { body };',
    caughtBy: ['test/serve/money/overview-page.test.ts'],
  },
  'written-listed-unread': {
    rule: 'a shared table stays listed while its newest version cannot be read',
    file: 'src/serve/sharing/chosen-version.ts',
    find: 'return snapshot === null || hasTable(snapshot, shared);',
    replace: 'return snapshot !== null && hasTable(snapshot, shared);',
    caughtBy: ['test/serve/sharing/usage.test.ts'],
  },
  'written-vendor-of-source': {
    rule: 'a vendor that one source has named is not taken over by a file of another source',
    file: 'src/ledger/identity/resolve.ts',
    find: 'a.account_id = s.account_id::bigint and a.load_ref is null\n',
    replace: 'a.account_id = s.account_id::bigint\n',
    caughtBy: ['test/ledger/identity/two-accounts.test.ts'],
  },
  'written-token-cost-once': {
    rule: 'each cost of a charge stands once beside the tokens that it counts',
    file: 'src/ledger/focus/usage-of-charge.ts',
    find: 'billed: 0n, effective: 0n, list: 0n,',
    replace: 'billed: 0n, list: 0n,',
    caughtBy: ['test/ledger/focus/usage-of-charge.test.ts'],
  },
  'written-scrub-unread': {
    rule: 'a scrub that could not read an account fails',
    file: 'src/commands/actions/scrub.ts',
    find: 'if (damaged === 0 && faults === 0) return;',
    replace: 'if (damaged === 0) return;',
    caughtBy: ['test/commands/marks.test.ts'],
  },
  'written-second-column': {
    rule: 'a history in PostgreSQL gets every column that was declared since',
    file: 'src/warehouse/into-postgres.ts',
    find: 'table.columns.filter((column) => !there.has(column.name));',
    replace: 'table.columns.filter((column) => !there.has(column.name)).slice(0, 1);',
    caughtBy: ['test/warehouse/into-targets.test.ts'],
  },
};
