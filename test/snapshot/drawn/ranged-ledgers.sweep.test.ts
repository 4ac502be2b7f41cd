/** Random ledgers: the files of a build in ranges are those of one connection, byte for byte. */
import { bigInt, sample } from 'fast-check';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SetChecks } from '../../../src/snapshot/builder/build-tools.ts';
import type { SqlScript } from '../../../src/sql-scripts.ts';
import { SETS_BESIDE } from '../../../src/tables/file-sets.ts';
import { seedAccount } from '../../../tools/seed/seed-account.ts';
import { type Asked, type BuildHarness, openBuildHarness } from '../builder/real-build.ts';

/** `RANGED_LEDGERS=100` for more. */
const LEDGERS = Number(process.env['RANGED_LEDGERS'] ?? 5);
/** Eight row groups of costs, of the FOCUS file and of the companion tables of both kinds of entries. */
const SIZE = { rows: 530, initiatives: 20, years: 1, inputs: 100 };
const group_rows = 64;
/** No check runs: equal files have equal audits, and other tests audit builds in ranges. */
const checks: readonly SqlScript[] = [];
const checksBeside: SetChecks = new Map(SETS_BESIDE.map((set) => [set, []]));

let harness: BuildHarness;
let owner: Client;
beforeAll(async () => {
  harness = await openBuildHarness();
  owner = await harness.database.client('cf_owner');
});
afterAll(() => harness.close());

/** Builds into an empty store; returns the files that it published, and the number of ranges of each table. */
async function builtIn(ranges: number, account_id: bigint) {
  const cut = new Map<string, number>();
  const shareRanges: Asked['shareRanges'] = async (offer) => {
    for (const { table, number } of offer.ranges) cut.set(table, number);
    return null;
  };
  const store = await harness.emptyStore();
  const asked = { account_id, store, group_rows, checks, checksBeside, ranges, range_lanes: 3, shareRanges };
  await harness.build(asked);
  const served = await harness.served(account_id, store);
  if (served === null) throw new Error('the build published nothing');
  const { tables, companions, focus, sums, files } = served;
  return { published: { tables, companions, focus, sums, files }, cut };
}

it.each(sample(bigInt({ min: 1n, max: 1_000_000n }), LEDGERS))(
  'a ledger of seed %s in 2, 3 and 8 ranges: every file has the SHA-256 of one range',
  { timeout: 0 },
  async (seed) => {
    const account_id = await seedAccount(owner, { ...SIZE, seed }, () => undefined);
    // Without statistics the planner reads the entries once for each initiative.
    await owner.query('analyze');
    const undivided = await builtIn(1, account_id);
    expect(undivided.cut).toEqual(new Map());
    for (const ranges of [2, 3, 8]) {
      const { published, cut } = await builtIn(ranges, account_id);
      expect(published).toEqual(undivided.published);
      const long = ['costs', 'api_cost_entries', 'api_value_entries', 'focus'];
      expect(long.map((table) => cut.get(table))).toEqual(long.map(() => ranges));
    }
  },
);
