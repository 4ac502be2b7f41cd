/** What operators hear of builds that wait, of the last build of a night, of missing files and of moved pins. */
import type { Mutants } from './mutant.ts';

export const WAITING: Mutants = {
  'operator-pending-untaken': {
    rule: 'a pending build is not awaited for ever where no worker takes it',
    file: 'src/next-step.ts',
    find: '  if (pending.untaken) {',
    replace: '  if (pending.untaken && pending.tries < 0) {',
    caughtBy: ['test/run/builders/next-command.test.ts'],
  },
  'operator-pending-taken': {
    rule: 'a build that waits behind the builds of a worker is not called untaken',
    file: 'src/ops/pending-builds.ts',
    find: 'greatest(heartbeat_on, started_on, completed_on) >',
    replace: 'completed_on >',
    caughtBy: ['test/ops/pending-builds.test.ts'],
  },
  'operator-pending-unknown': {
    rule: 'why does not take a queue that does not answer for an empty queue',
    file: 'src/run/pending-builds.ts',
    find: '    return null;\n',
    replace: '    return new Map();\n',
    caughtBy: ['test/commands/why.test.ts'],
  },
  'operator-pin-moved-at-once': {
    rule: 'a name that two people move at once stands on one snapshot',
    file: 'src/snapshot/keep/pins.ts',
    find: 'toSorted((a, b) => setAt(b) - setAt(a));',
    replace: 'toSorted((a, b) => setAt(a) - setAt(b));',
    caughtBy: ['test/snapshot/keep/pins.test.ts'],
  },
  'operator-pin-moved-again': {
    rule: 'a name moves to a snapshot that has it with the same end',
    file: 'src/snapshot/keep/pins.ts',
    find: ' && !isMoved) return null;',
    replace: ') return null;',
    caughtBy: ['test/snapshot/keep/pins.test.ts'],
  },
  'operator-night-ended': {
    rule: 'status says when the last build of the night ended, and not when a rebuild did',
    file: 'src/ops/night-status.ts',
    find: '(select max(completed_on) from builds) as last_ended_at',
    replace: '(select max(completed_on) from jobs) as last_ended_at',
    caughtBy: ['test/ops/night-status.test.ts'],
  },
  'operator-missing-file': {
    rule: 'a file that is not there is called missing, not damaged',
    file: 'src/commands/terminal/newest-snapshots.ts',
    find: 'return files.filter((_, index) => found[index] === null);',
    replace: 'return files.slice(found.length);',
    caughtBy: ['test/run/damage-told.test.ts'],
  },
};
