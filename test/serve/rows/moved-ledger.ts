/** Two builds of a real ledger, between which a value came, costs came, one was edited and one was deleted. */
import type { Diffs } from '../../../src/diff/diff-cache.ts';
import { openDiffs } from '../../../src/run/server/diffs.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { DAY, readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { addCost, addInitiative, addValue, foundAccount, inAccount } from '../../support/ledger-rows.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';
import { openBrowser } from '../pages/browser.ts';

export const ACCOUNT = 7n;

export interface MovedLedger {
  readonly reader: SnapshotReader;
  readonly diffs: Diffs;
  /** The ids of the snapshots. */
  readonly from: string;
  readonly to: string;
  close(): Promise<void>;
}

export async function openMovedLedger(): Promise<MovedLedger> {
  const harness = await openBuildHarness('template_ledger');
  const owner = await harness.database.client('cf_owner');
  await owner.query(`alter sequence ledger.accounts_id_seq restart with ${ACCOUNT}`);
  const founded = await foundAccount(owner, { reporting_enabled_at: '2026-01-01Z' });
  const second = { ...founded, initiative: await addInitiative(owner, ACCOUNT) };
  let edited = 0n;
  await inAccount(owner, ACCOUNT, async () => {
    await addValue(owner, founded);
    edited = await addCost(owner, founded);
    await addCost(owner, second, {
      amount_cents: 6_000,
      period_start: '2026-05-01',
      period_end: '2026-05-31',
    });
  });
  const { snapshot_id: from } = await harness.build({
    account_id: ACCOUNT,
    at: AT - DAY,
    night: '2026-07-14',
  });
  await inAccount(owner, ACCOUNT, async () => {
    await owner.query('update ledger.cost_entries set amount_cents = 16250 where id = $1', [edited]);
    await owner.query('delete from ledger.cost_entries where amount_cents = 6000');
    const july = { period_start: '2026-07-01', period_end: '2026-07-31' };
    await addCost(owner, second, { ...july, amount_cents: 125_000 });
    await addCost(owner, founded, { ...july, amount_cents: 1 });
    await addValue(owner, second, { ...july, amount_cents: 138_000 });
  });
  const { snapshot_id: to } = await harness.build({ account_id: ACCOUNT });
  const reader = readerAt(harness.store, () => AT);
  const diffs = await openDiffs({ snapshots: reader, root: `${harness.root}/diffs` });
  return {
    reader,
    diffs,
    from,
    to,
    async close() {
      await diffs.close();
      await harness.close();
    },
  };
}

/** A browser that is signed in to an application over these snapshots. */
export async function signedInTo(snapshots: SnapshotReader, diffs: Diffs) {
  const browser = openBrowser(fakeApp({ snapshots, diffs }).app);
  await browser.signIn(TOKENS.personal);
  return browser;
}
