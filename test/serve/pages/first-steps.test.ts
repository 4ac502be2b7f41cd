/** The overview of an account with nothing but its people: three commands instead of zeros. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { foundAccount, inAccount } from '../../support/ledger-rows.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';
import { openBrowser } from './browser.ts';
import { textOf } from '../money/served-company.ts';

let harness: BuildHarness;
let account: bigint;
beforeAll(async () => {
  harness = await openBuildHarness();
  const owner = await harness.database.client('cf_owner');
  const founded = await foundAccount(owner, { reporting_enabled_at: '2020-01-01T00:00:00Z' });
  ({ account } = founded);
  await inAccount(owner, account, () =>
    owner.query('delete from ledger.initiatives where id = $1', [founded.initiative]),
  );
  await harness.build({ account_id: account });
});
afterAll(() => harness?.close());

it('the overview of an account without initiatives shows the commands that give it figures, and no zeros', async () => {
  const snapshots = readerAt(harness.store, () => AT);
  const holder = { token_id: 1n, account_id: account, user_id: null, kind: 'reporting' } as const;
  const findHolder = async () => ({ ...holder, api_access: true, reporting_enabled: true });
  const browser = openBrowser(fakeApp({ snapshots, findHolder }).app);
  await browser.signIn(TOKENS.reporting);
  const page = await browser.page('/');
  const commands = [...page.matchAll(/<textarea[^>]*>\s*([^<]*)<\/textarea>/g)].map(([, text]) => text);
  expect(commands).toEqual([
    'npx --no crossfoot init ./own',
    `npx --no crossfoot load ./own --account ${account}`,
    `npx --no crossfoot build --account ${account}`,
  ]);
  expect(textOf(page)).not.toContain('This fiscal year the initiatives cost');
  expect(page).not.toContain('class="statement');
});
