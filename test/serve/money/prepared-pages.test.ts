/** Pages that are prepared before a person opens them: what is read then. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MONEY_VIEWS } from '../../../src/serve/rows/table-views.ts';
import type { PreparePages } from '../../../src/serve/prepare-pages.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';
import { openBrowser } from '../pages/browser.ts';
import { countReads } from './count-reads.ts';
import { ACCOUNT, serveCompany } from './served-company.ts';

describe('the pages of an account whose pages were prepared', () => {
  let company: Awaited<ReturnType<typeof serveCompany>>;
  beforeAll(async () => {
    company = await serveCompany();
  });
  afterAll(() => company?.close());

  it('are shown without a read of rows; only the rows of the page are read', async () => {
    const { read, snapshots } = countReads(company.reader);
    let prepare: PreparePages | undefined;
    const holder = { token_id: 1n, account_id: ACCOUNT, user_id: null, kind: 'reporting' } as const;
    const findHolder = async () => ({ ...holder, api_access: true, reporting_enabled: true });
    const onPages = (pages: PreparePages): void => void (prepare = pages);
    const browser = openBrowser(fakeApp({ snapshots, diffs: company.diffs, findHolder, onPages }).app);
    await browser.signIn(TOKENS.reporting);
    await prepare?.(ACCOUNT);
    expect(read.length).toBeGreaterThan(20);
    for (const path of ['/', '/initiatives', '/budgets']) {
      read.length = 0;
      await browser.page(path);
      expect([path, ...read]).toEqual([path]);
    }
    read.length = 0;
    await browser.page(`/snapshots/${company.to}/tables/costs`);
    // The names of vendors, and the columns of the page. No row is read for sums.
    const { columns } = MONEY_VIEWS['costs'] ?? { columns: [] };
    expect(read.filter((each) => each.startsWith('costs: ')).toSorted()).toEqual([
      `costs: ${columns.join(' ')} currency`,
      'costs: vendor_id vendor_name',
    ]);
  });
});
