import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDiffs } from '../../../src/run/server/diffs.ts';
import { DAYS, keptHistory, type PublishedHistory } from '../../diff/published-history.ts';
import { readArticles } from '../../fixtures/article-claims.ts';
import { readerAt } from '../../snapshot/builder/build-harness.ts';
import type { ReadableSnapshot } from '../../../src/snapshot/format/served-manifest.ts';
import { EARLIER, EXPIRED, fakeApp, FakeSnapshots, LATEST, TOKENS, withoutOwnScript } from '../fake-parts.ts';
import { openBrowser } from './browser.ts';
import { instantOf } from '../../support/instant-of.ts';

const EVIL = '<script>alert("x")</script>';

/** Marks as people write them, on every snapshot. */
class MarkedSnapshots extends FakeSnapshots {
  override async list(account_id: bigint): Promise<readonly ReadableSnapshot[]> {
    return (await super.list(account_id)).map(marked);
  }
  override async pinned(account_id: bigint, snapshot_id: string): Promise<ReadableSnapshot | null> {
    const snapshot = await super.pinned(account_id, snapshot_id);
    return snapshot === null ? null : marked(snapshot);
  }
}

function marked(snapshot: ReadableSnapshot): ReadableSnapshot {
  const at = instantOf('2026-11-20T03:00:00.000000Z');
  return {
    ...snapshot,
    pins: [{ name: 'close-2026-10', at, until: instantOf('2027-12-25T03:00:00.000000Z') }],
    retraction: { at, reason: EVIL, replaced_by: EARLIER },
    quarantine: { at, files: ['costs.parquet'] },
  };
}

async function signedIn(token: string, replaced: Parameters<typeof fakeApp>[0] = {}) {
  const browser = openBrowser(fakeApp(replaced).app);
  await browser.signIn(token);
  return browser;
}

describe('the snapshots of an account', () => {
  it('are listed, the newest first, with age and rows', async () => {
    const page = await (await signedIn(TOKENS.personal)).page('/');
    const links = [...page.matchAll(/<a href="snapshots\/(\w+)"/g)].map(([, id]) => id);
    expect(links).toEqual([LATEST, EARLIER]);
    // The moment is 2026-11-20 02:00, and it is an hour later: 60 minutes.
    expect(page).toMatch(/<td class="number" data-column="Age">(?:59|60) minutes<\/td>/);
    // Two tables of one row each.
    expect(page).toContain('<td class="number" data-column="Rows">2</td>');
    expect(page).toContain('no report');
  });

  it('say when there is no snapshot yet, and when reporting is off', async () => {
    expect(await (await signedIn(TOKENS.unbuilt)).page('/')).toContain('No snapshot of this account');
    const off = await (await signedIn(TOKENS.switchedOff)).send('/');
    expect([off.status, await off.text()]).toEqual([404, expect.stringContaining('switched off')]);
  });

  it('are those of the own account alone', async () => {
    const browser = await signedIn(TOKENS.other);
    expect(await browser.page('/')).not.toContain(EARLIER);
    const answer = await browser.send(`/snapshots/${EARLIER}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('There is no such snapshot in this account: write its id, latest,');
  });

  it('tell of pins, retractions and damage, with the words of people as text', async () => {
    const browser = await signedIn(TOKENS.personal, { snapshots: new MarkedSnapshots() });
    const list = await browser.page('/');
    for (const word of ['retracted', 'damaged', 'pinned as close-2026-10']) expect(list).toContain(word);
    const page = await browser.page(`/snapshots/${LATEST}`);
    expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;. Read <a');
    expect(page).toContain(`<a href="${EARLIER}">${EARLIER}</a> instead.`);
    expect(page).toContain('costs.parquet');
    expect(page).toContain('2027-12-25 03:00 UTC');
    expect(withoutOwnScript(list) + withoutOwnScript(page)).not.toContain('<script');
  });

  it('say since when a snapshot is no longer kept, and lead to the list of kept snapshots', async () => {
    const browser = await signedIn(TOKENS.personal);
    const answer = await browser.send(`/snapshots/${EXPIRED}`);
    expect(answer.status).toBe(404);
    const page = await answer.text();
    expect(page).toContain('expired on 2026-11-15');
    expect(page).toContain('<a href="../#snapshots">All snapshots</a>');
    expect(page).not.toContain('All tables');
    expect(await browser.page('/')).toContain('<h2 id="snapshots">');
  });

  it('say until when the newest surely stays', async () => {
    const browser = await signedIn(TOKENS.personal);
    // Fourteen days after 2026-11-20 02:00: 20 + 14 − 30.
    const kept =
      /at least <time datetime="2026-12-04T02:00:00.123456Z">2026-12-04 02:00 UTC<\/time>, and while it is the newest/;
    for (const path of ['/', `/snapshots/${LATEST}`]) expect(await browser.page(path)).toMatch(kept);
  });

  it('say that a pinned one stays at least until its last pin ends', async () => {
    const browser = await signedIn(TOKENS.personal, { snapshots: new MarkedSnapshots() });
    expect(await browser.page(`/snapshots/${LATEST}`)).toMatch(
      /Kept until at least <time [^>]*>2027-12-25 03:00 UTC<\/time>, and while it is the newest/,
    );
  });

  it('lead from the name of a table to its rows', async () => {
    const page = await (await signedIn(TOKENS.personal)).page(`/snapshots/${LATEST}`);
    expect(page).toContain(`<th scope="row"><a href="${LATEST}/tables/costs">costs</a></th>`);
    expect(page).toContain('<a href="../tables">');
  });

  it('lead from the address of the newest rows to the newest snapshot, with the view', async () => {
    const browser = await signedIn(TOKENS.personal);
    const answer = await browser.send('/snapshots/newest/tables/costs?vendor_name=A%26B&sort=vendor_name');
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `../../${LATEST}/tables/costs?vendor_name=A%26B&sort=vendor_name`,
    ]);
    const strange = await browser.send('/snapshots/newest/tables/%2F%2Fevil');
    expect([strange.status, strange.headers.get('location')]).toEqual([404, null]);
    expect((await (await signedIn(TOKENS.unbuilt)).send('/snapshots/newest/tables/costs')).status).toBe(404);
    const out = await openBrowser().send('/snapshots/newest/tables/costs');
    expect([out.status, out.headers.get('location')]).toEqual([
      303,
      '../../../?to=snapshots%2Fnewest%2Ftables%2Fcosts',
    ]);
  });

  it('offer all tables when there is no such table', async () => {
    const answer = await (await signedIn(TOKENS.personal)).send(`/snapshots/${LATEST}/tables/none`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('<a href="../../../tables">All tables</a>');
  });

  it('show how to read a snapshot, each way with the address of the very snapshot', async () => {
    const page = await (await signedIn(TOKENS.personal)).page(`/snapshots/${LATEST}`);
    const read = page.slice(page.indexOf('id="read"'));
    const clients = [...read.matchAll(/<summary>([\w ]+)<\/summary>/g)].map(([, client]) => client);
    expect(clients.join(', ')).toBe(
      'curl, DuckDB, pandas, Polars, Spark, Databricks and Power BI, Snowflake, BigQuery, dbt',
    );
    expect(page).toContain('https://api.example.com/delta-sharing');
    expect(page).toContain(`https://api.example.com/v1/reporting/snapshots/${LATEST}/costs.parquet`);
    expect(page).not.toContain(TOKENS.personal);
  });

  it('say that the oldest snapshot has no predecessor', async () => {
    const browser = await signedIn(TOKENS.personal);
    expect(await browser.page(`/snapshots/${EARLIER}`)).toContain('No earlier snapshot is kept');
    const answer = await browser.send(`/snapshots/${EARLIER}/changes`);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('from the second one on, this page says what moved and why.'),
    ]);
    expect(await browser.page(`/snapshots/${LATEST}/changes`)).toContain('No row of any table differs.');
  });
});

describe.each(['/', `/snapshots/${LATEST}`, `/snapshots/${LATEST}/changes`, `/snapshots/${EXPIRED}`])(
  'the page at %s',
  (path) => {
    it('load the one script of every page, nothing from other hosts, and are stored by no cache', async () => {
      for (const browser of [await signedIn(TOKENS.personal), openBrowser()]) {
        const answer = await browser.send(path);
        expect(answer.headers.get('content-security-policy')).toBe(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        );
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('referrer-policy')).toBe('same-origin');
        expect(withoutOwnScript(await answer.text())).not.toMatch(
          /<script|<style|\bstyle=|\bon\w+=|(?:src|href)="https?:/,
        );
      }
    });

    it('leads on by addresses that exist, also below a path', async () => {
      const browser = await signedIn(TOKENS.personal);
      const page = await browser.page(path);
      const addresses = [...page.matchAll(/\bhref="([^"#][^"]*)"/g)].map(([, address = '']) => address);
      for (const address of new Set(addresses.filter((each) => !each.startsWith('data:')))) {
        const { pathname } = new URL(address, `http://here/below${path}`);
        expect(pathname).toMatch(/^\/below\//);
        // Articles and tables stand in the catalogue and in the schema, which this application has not.
        if (/\/(?:docs|tables)\/(?!site|api)/.test(pathname)) continue;
        // Leads on to the newest snapshot's own address.
        const status = pathname === '/below/changes' ? 303 : 200;
        expect([pathname, (await browser.send(pathname.replace('/below', ''))).status]).toEqual([
          pathname,
          status,
        ]);
      }
    });
  },
);

it('the pages lead to articles that the catalogue has', async () => {
  const browser = await signedIn(TOKENS.unbuilt);
  const member = await signedIn(TOKENS.personal);
  const pages = await Promise.all([
    openBrowser().page('/'),
    browser.page('/'),
    browser.page('/night'),
    member.page(`/snapshots/${LATEST}`),
    member.page(`/snapshots/${LATEST}/changes`),
  ]);
  const slugs = readArticles('articles').map(({ slug }) => slug);
  const linked = pages.flatMap((page) => [...page.matchAll(/href="(?:\.\.\/)*docs\/([a-z-]+)"/g)]);
  const named = new Set(linked.map(([, slug = '']) => slug));
  expect(named.size).toBeGreaterThan(10);
  expect([...named].filter((slug) => slug !== 'api' && !slugs.includes(slug))).toEqual([]);
});

it('the pages refuse parameters and other methods', async () => {
  const browser = await signedIn(TOKENS.personal);
  for (const path of ['/', `/snapshots/${LATEST}`, '/tables']) {
    expect((await browser.send(`${path}?q=1`)).status).toBe(400);
    expect((await browser.send(path, { method: 'PUT' })).status).toBe(405);
  }
});

describe('a real snapshot', () => {
  let published: PublishedHistory;
  let diffs: Awaited<ReturnType<typeof openDiffs>>;
  let browser: Awaited<ReturnType<typeof signedIn>>;
  beforeAll(async () => {
    published = await keptHistory();
    const snapshots = readerAt(published.store, () => DAYS[1]);
    diffs = await openDiffs({ snapshots, root: `${published.root}/spool` });
    browser = await signedIn(TOKENS.personal, { snapshots, diffs });
  });
  afterAll(async () => {
    await diffs.close();
    await published.close();
  });

  it('shows that all of its checks passed, and each of them', async () => {
    expect(await browser.page('/')).toMatch(
      /<td class="number" data-column="Checks passed">(\d+) of \1<\/td>/,
    );
    const page = await browser.page(`/snapshots/${published.later}`);
    expect(page).toContain('41-check-windows');
    expect(page).toContain('duckdb');
  });

  it('shows the totals of the portfolio by window, in dollars', async () => {
    const page = await browser.page(`/snapshots/${published.later}`);
    const [, windows = ''] = page.split('id="totals"');
    expect(windows).toMatch(
      /<th scope="row">All time<\/th>\s*<td class="number" data-column="Cash value">\$[\d,]+\.\d\d<\/td>/,
    );
    expect(windows).toMatch(/<td class="number" data-column="ROI">−?[\d,]+\.\d\u{A0}%<\/td>/u);
    const [totals = ''] = windows.split('id="audit"');
    const named = [...totals.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, window]) => window);
    expect(named).toContain('FY2026 Q3');
    expect(named.filter((window = '') => !/^(?:All time|FY\d{4}(?: Q[1-4])?)$/.test(window))).toEqual([]);
  });

  it('draws how many rows each table had where the number moved, with words for a screen reader', async () => {
    const page = await browser.page(`/snapshots/${published.later}`);
    const drawn = [
      ...page.matchAll(
        /<svg class="trend"[^>]*role="img" aria-label="([\d,]+) to ([\d,]+) rows over 2 snapshots"/g,
      ),
    ];
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn.filter(([, first, last]) => first === last)).toEqual([]);
    const moved = [...page.matchAll(/data-column="Since the one before">\s*<span class="">/g)];
    expect(drawn).toHaveLength(moved.length);
  });

  it('shows what changed since the snapshot before, and why totals moved', async () => {
    const page = await browser.page(`/snapshots/${published.later}/changes`);
    // Entries 6 and 16 came, and 12 with its initiative; 9 and 14 went, and 13 with its; ten others differ.
    expect(page).toMatch(
      /costs<\/a><\/th>\s*<td class="number" data-column="Added">3<\/td>\s*<td class="number" data-column="Removed">3<\/td>\s*<td class="number" data-column="Changed">10<\/td>/,
    );
    expect(page).toContain('The cost was recorded since the earlier snapshot.');
    expect(page).toMatch(
      /<th scope="row">cost<\/th>(?:\s*<td class="number" [^>]*>[^<]*(?:<strong>.*<\/strong>)?[^<]*<\/td>){3}/,
    );
  });
});
