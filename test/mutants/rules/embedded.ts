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
  'npm-shell-ended': {
    rule: 'a program ends when the shell that npm started it with has ended (issue 48)',
    file: 'src/run/npm-parent.ts',
    find: '  if (process.ppid !== parent) return true;',
    replace: '',
    caughtBy: ['test/run/npm-parent.test.ts'],
  },
  'npm-above-shell-ended': {
    rule: 'a program ends when npm is killed and its shell lives on (issue 48)',
    file: 'src/run/npm-parent.ts',
    find: '  return life === null || (await processLife(pid)) !== life;',
    replace: '  return (await processLife(pid)) === `${life}?`;',
    caughtBy: ['test/run/npm-parent.test.ts'],
  },
  'npm-alone-watched': {
    rule: 'a program that npm did not start runs on without its parent (issue 48)',
    file: 'src/run/npm-parent.ts',
    find: "  if (env['npm_execpath'] === undefined) return;",
    replace: '',
    caughtBy: ['test/run/npm-parent.test.ts'],
  },
};
