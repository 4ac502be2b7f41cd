/** Whatever the ledger takes, the build publishes: the company, with cells of every column drawn anew before each build. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { chanceOf } from '../../chaos/chance.ts';
import { outcomeOf } from '../../support/waiting.ts';
import { readChecks } from '../audit/audited-files.ts';
import { AT, type BuildHarness, openBuildHarness } from '../builder/real-build.ts';
import { DrawnLedger } from './drawn-ledger.ts';

/** `npm run campaign -- ledgers` gives both. */
const LEDGERS = Number(process.env['DRAWN_LEDGERS'] ?? 20);
const SEED = Number(process.env['DRAWN_SEED'] ?? 49);
const DAY = 86_400_000_000n;
/** Of the cells of each column, so large a share is drawn for each ledger. */
const SHARE = 0.2;
/** Columns that hold free text, an amount, a number, a day and a time: the draw reaches each of them. */
const REACHED = ['description', 'vendor_name', 'amount_cents', 'period_end', 'created_at', 'input_snapshot'];

let harness: BuildHarness;
let ledger: DrawnLedger;
const open = async (): Promise<void> => {
  harness = await openBuildHarness();
  ledger = await DrawnLedger.open(await harness.database.admin());
};
beforeAll(open);
afterAll(() => harness.close());

/** Builds so many ledgers, each drawn from the one before; returns what was refused, and the cells that were taken. */
async function buildDrawn(seed: number, ledgers: number) {
  const [checks, checksBeside] = await Promise.all([readChecks(), readChecksBeside()]);
  const refused: string[] = [];
  const columns = new Set<string>();
  for (let nth = 0; nth < ledgers; nth += 1) {
    for (const column of await ledger.draw(chanceOf(seed + nth), SHARE)) columns.add(column);
    const at = AT + BigInt(nth + 2) * DAY;
    const store = await harness.emptyStore();
    const outcome = await outcomeOf(harness.build({ at, store, checks, checksBeside }));
    if (outcome instanceof Error) {
      refused.push(`ledger ${nth} of seed ${seed}: ${outcome.message}`);
      await harness.close(); // the next begins with the company
      await open();
    }
    if ((nth + 1) % 50 === 0) process.stderr.write(`${nth + 1} ledgers, ${refused.length} refused\n`);
  }
  return { refused, columns };
}

describe('a drawn ledger', () => {
  it('is published, and so is one drawn from it', async () => {
    const { refused, columns } = await buildDrawn(SEED, 2);
    expect(refused).toEqual([]);
    const reached = [...columns].map((column) => column.replace(/^.*\./, ''));
    expect(REACHED.filter((name) => !reached.includes(name))).toEqual([]);
  });

  it('is published, however often it is drawn again', { timeout: 0 }, async () => {
    expect((await buildDrawn(SEED + 1_000, LEDGERS)).refused).toEqual([]);
  });
});
