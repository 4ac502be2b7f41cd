/** `npm run rules -- src/ledger/load`: prints the rules of a room that a mutant holds, each with what must notice it. */
import { dirname } from 'node:path';
import { MUTANTS } from './all.ts';

const [wanted = ''] = process.argv.slice(2);
const lines = MUTANTS.map(({ rule, edits, caughtBy = [], schedules }) => {
  const noticed = schedules === undefined ? caughtBy.join(', ') : `${schedules} schedules of npm run chaos`;
  return `${dirname(edits[0]?.file ?? '')}: ${rule} (${noticed})\n`;
});
for (const line of lines.toSorted().filter((each) => each.startsWith(wanted))) process.stdout.write(line);
