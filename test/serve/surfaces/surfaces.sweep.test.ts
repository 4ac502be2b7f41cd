/** One figure has one value: every surface of the company, and of generated accounts, against `reported_totals`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedAccount } from '../../../tools/seed/seed-account.ts';
import { ALL_SURFACES, openSurfaces, type Surfaces } from './open-surfaces.ts';

let surfaces: Surfaces;
beforeAll(async () => {
  surfaces = await openSurfaces();
});
afterAll(() => surfaces.close());

/** It may only rise: a lower number means a surface or a window that the test no longer asks. */
const LEAST_OF_COMPANY = 4_278;
const LEAST_OF_SEEDS = 88_000;

it('every surface shows each figure of the company as reported_totals has it', async () => {
  const { different, figures, count, ended } = await surfaces.asked('the company', 1n);
  expect(different).toEqual([]);
  expect([...figures.keys()].toSorted()).toEqual(ALL_SURFACES);
  expect(count).toBeGreaterThanOrEqual(LEAST_OF_COMPANY);
  expect(ended).toBeGreaterThan(0);
});

const seeds = Array.from({ length: 20 }, (_, index) => BigInt(index * 7_919 + 1));
let asked_of_seeds = 0;
it.each(seeds)(
  'every surface shows each figure of the account of seed %s as reported_totals has it',
  async (seed) => {
    const owner = await surfaces.harness.database.client('cf_owner');
    const size = { rows: 100, initiatives: 20, years: 1, inputs: 0 };
    const account_id = await seedAccount(owner, { ...size, seed }, () => undefined);
    const { different, count } = await surfaces.asked(`seed ${seed}`, account_id);
    expect(different).toEqual([]);
    asked_of_seeds += count;
  },
);

it('the comparison of the generated accounts has at least as many figures as before', () => {
  process.stdout.write(`twenty generated accounts: ${asked_of_seeds} figures compared\n`);
  expect(asked_of_seeds).toBeGreaterThanOrEqual(LEAST_OF_SEEDS);
});
