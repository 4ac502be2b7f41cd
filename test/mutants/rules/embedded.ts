/** The embedded database: which commands create it, and which settings of the shell reach it. */
import type { Mutants } from '../mutant.ts';

const FIRST_COMMAND = ['test/run/embedded-first-command.test.ts'];

export const EMBEDDED: Mutants = {
  'embedded-created-by-any': {
    rule: 'only start, account add and migrate create an embedded database',
    file: 'src/run/embedded-databases.ts',
    find: 'if (!creates && !(await holdsCluster(settings.dataDir)) && !(await isBeingCreated(settings.dataDir)))',
    replace: 'if (signal.aborted)',
    caughtBy: FIRST_COMMAND,
  },
  'embedded-takes-shell-settings': {
    rule: 'the embedded database takes no PG* variable of the shell',
    file: 'src/embedded/embedded.ts',
    find: "const FULL_URL = '?sslmode=disable&options=-ctimezone%3DUTC';",
    replace: "const FULL_URL = '';",
    caughtBy: FIRST_COMMAND,
  },
  'embedded-without-catalogue': {
    rule: 'a database that account add creates holds the platforms of the catalogue',
    file: 'src/run/as-owner.ts',
    find: 'if (creates && isNew) await loadCatalogue(requireOwner(databases));',
    replace: '',
    caughtBy: FIRST_COMMAND,
  },
};
