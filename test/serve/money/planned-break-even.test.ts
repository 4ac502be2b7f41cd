/** The planned break-even of an initiative's page: capex without a start is due on the day of approval. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { snapshotFiles } from '../../../src/serve/live/snapshot-files.ts';
import { createInitiatives } from '../../../src/serve/money/initiative.ts';
import { COMPANION_SET } from '../../../src/tables/companions.ts';
import { readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { addInitiative, foundAccount, inAccount } from '../../support/ledger-rows.ts';

let harness: BuildHarness;
beforeAll(async () => {
  harness = await openBuildHarness('template_ledger');
});
afterAll(() => harness.close());

it('the planned break-even counts capex on the day of approval, and is unknown if the snapshot lacks that day', async () => {
  const owner = await harness.database.client('cf_owner');
  const { account } = await foundAccount(owner, { reporting_enabled_at: '2025-12-01T09:00:00Z' });
  // Capex of 1,200.00 in December 2025, and savings of 100.00 a month from January 2026: covered in December 2026.
  const approved = await inAccount(owner, account, () =>
    addInitiative(owner, account, {
      stage: 'live',
      approved_at: '2025-12-01T09:00:00Z',
      went_live_at: '2026-01-01T09:00:00Z',
      planned_capex_cents: 120_000,
      planned_cost_savings_cents: 10_000,
      planned_value_period: 'monthly',
      roi_horizon_years: 2,
    }),
  );
  const breakEven = async (): Promise<unknown> => {
    const reader = readerAt(harness.store, () => AT);
    const snapshot = await reader.latest(account);
    if (snapshot === null) throw new Error('nothing was published');
    const read = await createInitiatives()(snapshotFiles(reader, account, snapshot), approved);
    expect(read?.plan?.months.at(-1)).toMatchObject({ month: '2027-12-01', value_cents: 240_000n });
    return read?.plan?.break_even;
  };
  await harness.build({ account_id: account, at: AT - 86_400_000_000n, night: '2026-07-14' });
  expect(await breakEven()).toBeNull();
  // The day before, the page could not know.
  await harness.build({ account_id: account, at: AT, checksBeside: await readChecksBeside([COMPANION_SET]) });
  expect(await breakEven()).toBe('2026-12-01');
});
