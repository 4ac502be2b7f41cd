/**
 * `npm run campaign -- interrupts --times 100 --seed 1 --programs node,python`: pulls that are cut off and killed at
 * random bytes, each until it is done. Fails when a folder is ever seen that is not whole, or when what ends well is
 * not what was published.
 */
import { parseArgs } from 'node:util';
import { publishCompany } from '../serve/stored-company.ts';
import { chanceFrom } from '../serve/http/slow-writers.ts';
import { pullInterrupted } from './interrupted-pull.ts';
import { PULL_PROGRAMS, type PullProgram } from './pull-program.ts';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    programs: { type: 'string', default: Object.keys(PULL_PROGRAMS).join(',') },
  },
});

const company = await publishCompany();
const server = await company.serve();
try {
  for (const program of values.programs.split(',') as PullProgram[]) {
    const total = { cuts: 0, kills: 0 };
    for (let time = 0; time < Number(values.times); time += 1) {
      const { cuts, kills } = await pullInterrupted(
        program,
        server.port,
        chanceFrom(Number(values.seed) + time),
      );
      total.cuts += cuts;
      total.kills += kills;
    }
    const said = `${values.times} pulls ended whole, after ${total.cuts} cuts and ${total.kills} kills`;
    process.stdout.write(`${program}: ${said} (seed ${values.seed})\n`);
  }
} finally {
  await server.close();
  await company.remove();
}
