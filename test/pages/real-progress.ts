/** A first comparison of two large snapshots, as the real program serves it: progress at once, then the waterfall. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedAccount } from '../../tools/seed/seed-account.ts';
import { DAY, clockAt } from '../snapshot/builder/build-harness.ts';
import { change } from '../snapshot/builder/real-build.ts';
import { openServedHarness, type ServedHarness } from './served-harness.ts';
import { openBrowser, openPage } from './watched-page.ts';

/** Two snapshots of it have more than 200,000 rows together: from there a reader does not wait for a comparison. */
const GENERATED = { rows: 80_000, initiatives: 50, years: 3, inputs: 0, seed: 7n };

let served: ServedHarness;
let origin: string;
let browser: Browser;
let token = '';
let from = '';
let to = '';
beforeAll(async () => {
  served = await openServedHarness();
  const { harness, store } = served;
  const owner = await harness.database.client('cf_owner');
  const account_id = await seedAccount(owner, GENERATED, () => undefined);
  const now = (BigInt(Date.now()) / 60_000n) * 60_000_000n;
  const build = async (at: bigint): Promise<string> => {
    const night = new Date(Number(at / 1_000n)).toISOString().slice(0, 10);
    return (await harness.build({ store, account_id, at, night, clock: clockAt(at + 1_000_000n) }))
      .snapshot_id;
  };
  from = await build(now - 2n * DAY);
  await change(
    owner,
    `insert into ledger.cost_entries
       (account_id, initiative_id, amount_cents, currency, cost_type, cost_category, period_start, source_type)
     select ${account_id}, min(id), 1234, 'USD', 'software', 'opex', '2026-07-01', 'manual'
     from ledger.initiatives where account_id = ${account_id} and not is_sample`,
    account_id,
  );
  // The overview, to which signing in leads, compares the newest two.
  await build(now - DAY);
  to = await build(now);
  token = await served.issue(account_id);
  origin = await served.serve();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

/** The rows of all tables of a snapshot, as its manifest counts them and people write it. */
async function rowsOf(snapshot_id: string): Promise<string> {
  const answer = await fetch(`${origin}/v1/reporting/snapshots/${snapshot_id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { tables } = (await answer.json()) as { tables: readonly { readonly row_count: number }[] }; // the contract's shape
  return tables.reduce((sum, { row_count }) => sum + row_count, 0).toLocaleString('en-US');
}

it('a page of progress is there at once, and becomes the waterfall by itself, without a script', async () => {
  const [earlier, later] = [await rowsOf(from), await rowsOf(to)];
  const watched = await openPage(browser, origin, { javaScriptEnabled: false });
  const { page } = watched;
  await watched.signIn(token);
  const first = await page.goto(`${origin}/snapshots/${to}/changes?from=${from}`);
  expect([first?.status(), first?.headers()['refresh']]).toEqual([200, '2']);
  expect((await page.getByRole('status').innerText()).replaceAll(/\s+/g, ' ')).toContain(
    `Comparing ${earlier} rows of ${from} with ${later} rows of ${to}.`,
  );
  const waterfall = page.locator('table.fall');
  await waterfall.waitFor();
  expect((await waterfall.innerText()).replaceAll(/\s+/g, ' ')).toContain('1 cost recorded');
  const again = await page.reload();
  expect(again?.headers()['refresh']).toBeUndefined();
  expect(watched.faults()).toEqual([]);
});
