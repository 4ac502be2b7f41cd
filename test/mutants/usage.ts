/** What was used of bills: the shared table. */
import type { Mutants } from './mutant.ts';

const SHARED = ['test/serve/sharing/usage.test.ts'];

export const USAGE: Mutants = {
  'sharing-usage-listed': {
    rule: 'a schema lists usage only where its newest version has it',
    file: 'src/serve/sharing/chosen-version.ts',
    find: '  return snapshot === null || hasTable(snapshot, shared);',
    replace: '  return true;',
    caughtBy: SHARED,
  },
  'sharing-usage-absent': {
    rule: 'a version without usage says so in words',
    file: 'src/serve/sharing/chosen-version.ts',
    find: '  if (!hasTable(snapshot, shared)) {',
    replace: '  if (lacking === undefined && !hasTable(snapshot, shared)) {',
    caughtBy: SHARED,
  },
  'sharing-usage-alone': {
    rule: 'usage is the only companion that is shared',
    file: 'src/snapshot/format/manifest.ts',
    find: '    set.served ? tables : tables.filter(({ name }) => set.shared?.names[name] !== undefined),',
    replace: '    set.served ? tables : tables,',
    caughtBy: [...SHARED, 'test/snapshot/audit/companions.test.ts'],
  },
  'sharing-usage-in-reporting': {
    rule: 'the reporting routes send no companion',
    edits: [
      {
        file: 'src/serve/reporting/table-parameter.ts',
        find: "import { servedTables, type sharedTables } from '../../snapshot/format/manifest.ts';",
        replace: "import { sharedTables as servedTables } from '../../snapshot/format/manifest.ts';",
      },
    ],
    caughtBy: SHARED,
  },
  'sharing-usage-changes': {
    rule: 'usage has no change feed',
    file: 'src/serve/sharing/changes.ts',
    find: '  return INSTEAD[name] === undefined;',
    replace: "  return name !== 'focus';",
    caughtBy: SHARED,
  },
};
