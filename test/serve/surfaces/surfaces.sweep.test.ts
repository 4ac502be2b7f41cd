/** One figure has one value: every surface of the company, and of generated accounts, against `reported_totals`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import type { SetChecks } from '../../../src/snapshot/builder/build-tools.ts';
import { FOCUS_SET } from '../../../src/tables/focus.ts';
import { seedAccount } from '../../../tools/seed/seed-account.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { type Compared, askSurfaces } from './surfaces.ts';

const SURFACES = [
  'API as of',
  'API live',
  'CSV',
  'FOCUS',
  'assistant as of',
  'assistant live',
  'chart of an initiative',
  'file',
  'initiatives',
  'overview',
  'page of an initiative',
  'page of the snapshot',
];

let harness: BuildHarness;
let checksBeside: SetChecks;
beforeAll(async () => {
  [harness, checksBeside] = await Promise.all([openBuildHarness(), readChecksBeside([FOCUS_SET])]);
});
afterAll(() => harness.close());

async function askedOf(account_id: bigint): Promise<Compared> {
  await harness.build({ account_id, at: AT, checksBeside });
  return await askSurfaces(harness, account_id, AT);
}

function told(name: string, { figures }: Compared): void {
  const count = [...figures.values()].reduce((sum, each) => sum + each, 0);
  const each = [...figures].map(([surface, compared]) => `${surface} ${compared}`);
  process.stdout.write(`${name}: ${count} figures compared: ${each.toSorted().join(', ')}\n`);
}

it('shows each figure of the company as reported_totals has it, on every surface', async () => {
  const compared = await askedOf(1n);
  told('the company', compared);
  expect(compared.different).toEqual([]);
  expect([...compared.figures.keys()].toSorted()).toEqual(SURFACES);
  for (const [surface, count] of compared.figures) expect([surface, count > 4]).toEqual([surface, true]);
});

const seeds = Array.from({ length: 20 }, (_, place) => BigInt(place * 7_919 + 1));
it.each(seeds)('shows each figure of the account of seed %s as reported_totals has it', async (seed) => {
  const owner = await harness.database.client('cf_owner');
  const size = { rows: 100, initiatives: 20, years: 1, inputs: 0 };
  const compared = await askedOf(await seedAccount(owner, { ...size, seed }, () => undefined));
  told(`seed ${seed}`, compared);
  expect(compared.different).toEqual([]);
});
