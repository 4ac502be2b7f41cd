/** The fixture company in two snapshots, served to one signed-in reader. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diffs } from '../../../src/diff/diff-cache.ts';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { openDiffs } from '../../../src/run/server/diffs.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { PAGES } from '../../../src/serve/page-routes.ts';
import { SUMS_SET } from '../../../src/tables/sums.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { DAY, readerAt } from '../../snapshot/builder/build-harness.ts';
import { type Kept, keptObjects } from '../../support/kept-objects.ts';
import { AT, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { readAll } from '../../store/contract.ts';
import { copyOf, memoryStore } from '../../store/memory-store.ts';
import { inAccount, insert } from '../../support/ledger-rows.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';
import { openBrowser } from '../pages/browser.ts';

export const ACCOUNT = 1n;

/**
 * Between the snapshots two costs are recorded, $600.00 and a credit of $10.50, and a title gets markup. Only the second has
 * the sums by month: an older version built the first.
 */
async function publishCompany(): Promise<Kept<{ readonly from: string; readonly to: string }>> {
  await using opened = new AsyncDisposableStack();
  const harness = await openBuildHarness('template_company');
  opened.defer(() => harness.close());
  const owner = await harness.database.client('cf_owner');
  const from = (await harness.build({ at: AT - DAY, night: '2026-07-14' })).snapshot_id;
  await inAccount(owner, ACCOUNT, async () => {
    const july = { account_id: ACCOUNT, currency: 'USD', period_start: '2026-07-01', source_type: 'manual' };
    await insert(owner, 'ledger.cost_entries', { ...july, initiative_id: 101, amount_cents: 60_000 });
    await insert(owner, 'ledger.cost_entries', { ...july, initiative_id: 102, amount_cents: -1_050 });
    await owner.query("update ledger.initiatives set title = '<b>Quotes</b>' where id = 101");
  });
  const checksBeside = await readChecksBeside([SUMS_SET]);
  const to = (await harness.build({ checksBeside })).snapshot_id;
  return { facts: { from, to }, objects: await copyOf(harness.store, `v1/a/${ACCOUNT}/`) };
}

/** The company as the first test file that asked for it published it. */
export async function serveCompany() {
  const { facts, objects } = await keptObjects('company', publishCompany);
  const { from, to } = facts;
  const root = await mkdtemp(join(tmpdir(), 'crossfoot-company-'));
  const reader = readerAt(memoryStore(objects), () => AT);
  const diffs: Diffs = await openDiffs({ snapshots: reader, root });
  return {
    from,
    to,
    reader,
    diffs,
    /** A browser with a reporting token of the company; `snapshots` and `of` replace the reader and the comparisons. */
    async signedIn(snapshots: SnapshotReader = reader, of: Diffs = diffs) {
      const holder = { token_id: 1n, account_id: ACCOUNT, user_id: null, kind: 'reporting' } as const;
      const findHolder = async () => ({ ...holder, api_access: true, reporting_enabled: true });
      const browser = openBrowser(fakeApp({ snapshots, diffs: of, findHolder }).app);
      await browser.signIn(TOKENS.reporting);
      return browser;
    },
    /** The answer of DuckDB over a table of the newest snapshot; the caller names the types of the columns. */
    async ask<Row>(table: string, sql: string): Promise<readonly Row[]> {
      const bytes = await readAll(await reader.openTable(ACCOUNT, to, table));
      return (await askDuckDb(bytes, sql)) as Row[]; // as the query selects them
    },
    async close() {
      await diffs.close();
      await rm(root, { recursive: true });
    },
  };
}

const VALUES: Readonly<Record<string, string>> = { initiative_id: '101', table: 'costs', name: 'audit.json' };

/** The address of each page of people, and of views of rows that sort and filter. */
export function pageAddresses(snapshot_id: string): readonly string[] {
  const pages = PAGES.filter(({ access, path }) => access === 'sign-in' && !path.includes('/log/'));
  const paths = pages.map(({ path }) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => VALUES[name] ?? snapshot_id),
  );
  const rows = `/snapshots/${snapshot_id}/tables/costs`;
  return [...paths, `${rows}?sort=-usd_amount_cents`, `${rows}?initiative_id=101`, '/budgets?state=over'];
}

/** Markup as text, one space between words. */
export const textOf = (markup: string): string =>
  markup
    .replaceAll(/<\/?time[^>]*>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('\u{2060}', '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** An amount as pages write it. */
export function dollars(cents: bigint): string {
  const size = cents < 0n ? -cents : cents;
  const units = String(size / 100n).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0n ? '−' : ''}$${units}.${String(size % 100n).padStart(2, '0')}`;
}

/** The amounts of a page that are links to rows of a table: address and amount. */
export function linkedAmounts(page: string, tables: string): readonly (readonly [string, string])[] {
  const links = page
    .replaceAll('\u{2060}', '')
    .matchAll(
      new RegExp(`<a href="(?:\\.\\./)?([^"]+/tables/(?:${tables})[^"]*)"[^>]*>\\s*(−?\\$[^<]+?)\\s*<`, 'g'),
    );
  return [...links].map(([, address = '', amount = '']) => [address.replaceAll('&amp;', '&'), amount]);
}

/** What a page of rows says is the total of a column; `$0.00` for a view without rows. */
export async function totalAt(
  browser: { page: (path: string) => Promise<string> },
  address: string,
  column: string,
): Promise<string> {
  const page = await browser.page(`/${address}`);
  const sum = page.slice(page.indexOf('<tr class="sum">'));
  const [, cell = ''] = new RegExp(`data-column="${column}">(.*?)</td>`, 's').exec(sum) ?? [];
  const total = textOf(cell).replace(/ \d+ without an amount$/, '');
  return ['', 'none'].includes(total) ? '$0.00' : total;
}
