/** The embedded database: which commands create it, and which settings of the shell reach it. */
import type { Mutants } from '../mutant.ts';

const OUTLAST = ['test/run/outlast.test.ts', 'test/run/embedded-databases.sweep.test.ts'];
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
  'start-step-not-repeated': {
    rule: 'a step of a start is run again if PostgreSQL ended during it (issue 48)',
    file: 'src/run/outlast.ts',
    find: '      if (!ended || repeats === MAX_REPEATS) throw error;',
    replace: '      throw error;',
    caughtBy: OUTLAST,
  },
  'start-end-seen-by-error-alone': {
    rule: 'a step is run again for any error if the server answers no more (issue 48)',
    file: 'src/run/outlast.ts',
    find: '      const ended = hasEnded(error) || !(await answers()) || ends() !== before;',
    replace: '      const ended = hasEnded(error) || ends() !== before;',
    caughtBy: ['test/run/outlast.test.ts'],
  },
  'start-repeats-without-bound': {
    rule: 'a step that itself ends PostgreSQL is not run for ever (issue 48)',
    file: 'src/run/outlast.ts',
    find: '      if (!ended || repeats === MAX_REPEATS) throw error;',
    replace: '      if (!ended || repeats === 20) throw error;',
    caughtBy: ['test/run/outlast.test.ts'],
  },
  'start-waits-for-a-lost-server': {
    rule: 'a start ends when the supervisor gives PostgreSQL up (issue 48)',
    file: 'src/run/outlast.ts',
    find: '    do await Promise.race([lost, sleep(PAUSE_MS, signal)]);',
    replace: '    do await sleep(PAUSE_MS, signal);',
    caughtBy: ['test/run/outlast.test.ts'],
  },
  'start-ends-not-counted': {
    rule: 'the supervisor counts how often PostgreSQL ended by itself (issue 48)',
    file: 'src/embedded/supervisor.ts',
    find: '      ends += 1;',
    replace: '',
    caughtBy: ['test/embedded/supervisor.test.ts'],
  },
  'npm-above-shell-ended': {
    rule: 'a program ends when npm is killed and its shell lives on (issue 48)',
    file: 'src/run/npm-parent.ts',
    find: '    const ended = life === null || (await processLife(pid)) !== life;',
    replace: '    const ended = (await processLife(pid)) === `${life}?`;',
    caughtBy: ['test/run/npm-parent.sweep.test.ts'],
  },
  'npm-alone-watched': {
    rule: 'a program that npm did not start runs on without its parent (issue 48)',
    file: 'src/run/npm-parent.ts',
    find: "  if (env['npm_execpath'] === undefined) return;",
    replace: '',
    caughtBy: ['test/run/npm-parent.sweep.test.ts'],
  },
  'npm-watched-by-commands': {
    rule: 'each command of crossfoot ends with the npm that started it (issue 48)',
    file: 'src/commands/terminal/run-program.ts',
    find: "  if (env['npm_execpath'] !== undefined) {",
    replace: "  if (env['npm_execpath'] === '') {",
    caughtBy: ['test/run/npm-parent.sweep.test.ts'],
  },
  'npm-watched-by-jobs': {
    rule: 'each job ends with the npm that started it (issue 48)',
    file: 'src/run/job.ts',
    find: "  watchNpm({ env, onEnded: () => stop(new Error('stopped, because npm, which had started it, ended')) });",
    replace: '',
    caughtBy: ['test/run/npm-parent.sweep.test.ts'],
  },
  'npm-campaign-without-its-program': {
    rule: '.ci/run counts a campaign as failed if its program is missing (issue 48)',
    file: '.ci/run',
    find: "    2) said+=$'\\na program is missing, which .ci/install should have installed' ;;",
    replace: '    2) outcome=not-run ;;',
    caughtBy: ['test/campaign.test.ts'],
  },
};
