/**
 * `npm run campaign -- journeys [word …]`: starts the program as a newcomer does and runs the blocks of code of every
 * page, or of the pages whose names have one of the words. Exits 1 if a block fails, also one whose program is missing.
 */
import { parseArgs } from 'node:util';
import { Clone } from './clone.ts';
import { type Outcome, runJourney } from './journey.ts';
import { Session } from './session.ts';
import { FLOOR, type Journey, OWN_START, SHARED } from './journeys.ts';

const { positionals: words } = parseArgs({ allowPositionals: true });
const asked = ({ page }: Journey): boolean => words.length === 0 || words.some((word) => page.includes(word));
const outcomes: Outcome[] = [];

const count = (came: Outcome['came'], of: readonly Outcome[]): number =>
  of.filter((each) => each.came === came).length;

/** One first start, and these pages one after the other. */
async function travel(journeys: readonly Journey[]): Promise<void> {
  if (journeys.length === 0) return;
  await using clone = new Clone();
  if (journeys[0]?.startsWith === undefined) await clone.start();
  else await clone.startPostgres();
  for (const journey of journeys) {
    if (journey.whileStopped !== undefined) {
      await clone.stop();
      using session = new Session(clone.path, clone.env);
      await session.run('sh', journey.whileStopped);
      await clone.start();
    }
    const came = await runJourney(journey, clone);
    outcomes.push(...came);
    const counts = `${count('ran', came)} ran, ${count('marked', came)} marked, ${count('failed', came)} failed`;
    process.stdout.write(`${journey.page}: ${counts}\n`);
    for (const { came: what, line, page, why } of came) {
      if (what === 'failed') process.stdout.write(`FAILED ${page}:${line}\n${why}\n`);
    }
  }
}

/** Each with a first start of its own, beside the shared one. */
async function travelAlone(): Promise<void> {
  for (const journey of OWN_START.filter(asked)) await travel([journey]);
}

await Promise.all([travel(SHARED.filter(asked)), travelAlone()]);
const [ran, marked, failed] = [count('ran', outcomes), count('marked', outcomes), count('failed', outcomes)];
process.stdout.write(`journeys: ${ran} blocks ran, ${marked} marked, ${failed} failed\n`);
process.exitCode = failed === 0 && (words.length > 0 || ran >= FLOOR) ? 0 : 1;
