/** The pages of an account: their headers at every address, and the figures of the audits that they list. */
import { describe, expect, it } from 'vitest';
import { instantOf } from '../../support/instant-of.ts';
import { shownSentence } from '../../../src/format.ts';
import { shownPoints, shownRoi } from '../../../src/serve/frame/shown-values.ts';
import { totalsSection } from '../../../src/serve/pages/totals-section.ts';
import { EARLIER, fakeApp, FakeSnapshots, LATEST, TOKENS } from '../fake-parts.ts';
import { signedInToRows } from '../given-snapshots.ts';
import { textOf } from '../money/served-company.ts';
import { addressOf, pathsOf } from '../route-addresses.ts';
import { openBrowser } from './browser.ts';

const plain = (page: string): string => textOf(page).replaceAll('\u{A0}', ' ');
const IS_PAGE = /^\/(?:$|night|changes|initiatives|budgets|ai-spend|snapshots\/)/;
const INITIATIVE = { initiative_id: 101n, title: 'Quotes', stage: 'live', currency: 'USD' };
const NO_STORE = ['no-store', "default-src 'none'"];

const headersOf = ({ headers }: Response) => [
  headers.get('cache-control'),
  headers.get('content-security-policy')?.split(';')[0],
];

it('every page of an account, in every way it can answer, is stored by no cache and runs no foreign script', async () => {
  const snapshot = [{ fiscal_year_start_month: 1 }];
  const signedIn = await signedInToRows({ snapshot, initiatives: [INITIATIVE] });
  const out = openBrowser();
  const paths = pathsOf(fakeApp().app).filter((path) => IS_PAGE.test(path) && !path.includes('{'));
  expect(paths.length).toBeGreaterThan(10);
  const seen = new Set<number>();
  for (const path of paths) {
    const address = addressOf(path, LATEST, { initiative_id: '101', table: 'costs' });
    for (const each of [
      address,
      `${address}?x=1`,
      addressOf(path, '20200101T000000Z', { initiative_id: '999' }),
    ]) {
      for (const answer of [await signedIn.send(each), await out.send(each)]) {
        const [cache, policy] = headersOf(answer);
        expect([each, answer.status, cache, policy]).toEqual([each, answer.status, ...NO_STORE]);
        seen.add(answer.status);
        await answer.text();
      }
    }
  }
  expect([...seen].toSorted((a, b) => a - b)).toEqual([200, 303, 400, 404]);
});

/** Snapshots with this report of their audit. */
class Reported extends FakeSnapshots {
  readonly #report: object;

  constructor(report: object) {
    super();
    this.#report = report;
  }

  override async readFile() {
    return new Uint8Array(Buffer.from(JSON.stringify(this.#report)));
  }
}

const check = (passed: boolean) => ({ name: 'c', rows_examined: 1, passed });
const windowOf = (place: string, found: string) => ({ place, expected: found, found });
const reportOf = (windows: readonly object[], checks: readonly object[] = []) => ({
  engine: 'e',
  checks,
  windows,
});

async function listOf(report: object): Promise<string> {
  const browser = openBrowser(fakeApp({ snapshots: new Reported(report) }).app);
  await browser.signIn(TOKENS.personal);
  const page = await browser.page('/');
  return plain(page.slice(page.indexOf('id="snapshots"')));
}

describe('the list of snapshots', () => {
  it('has cost and cash value of all time of the portfolio, and how many of the checks passed', async () => {
    const windows = [
      windowOf('fy2026', '1 2 3 4 5'),
      windowOf('101 all', '7 8 9'),
      windowOf('all', '500 77 120 380 3.16'),
    ];
    const list = await listOf(reportOf(windows, [check(true), check(false), check(true)]));
    expect(list).toContain('$1.20 $5.00');
    expect(list).toContain('2 of 3');
    expect(list).not.toContain('$0.77');
  });

  it('has dashes where the report does not say, and no report where there is none', async () => {
    const list = await listOf(reportOf([windowOf('all', 'none none 120')], [check(true)]));
    expect(list).toContain('– –');
    expect(list).toContain('1 of 1');
    const unread = await listOf({ unknown: true });
    expect(unread).toContain('no report');
  });
});

const section = async (found: string) =>
  plain(String(await totalsSection(reportOf([windowOf('fy2026-q1', found)]) as never, null)));

describe('the totals of a snapshot', () => {
  it('have each figure in its column, and no ROI where nothing was spent', async () => {
    expect(await section('500 77 120 380 3.1667')).toContain('FY2026 Q1 $5.00 $0.77 $1.20 $3.80 316.7 %');
    expect(await section('500 77 0 500 ')).toContain('$0.00 $5.00 none');
    expect(await section('500 77 0 500 null')).toContain('$0.00 $5.00 none');
    // Where the column of the table is empty: cost without cash value.
    expect(await section('0 77 120 -120 null')).toContain('−$1.20 −100.0 %');
    expect(await section('0 0 120 -120 -1')).toContain('−$1.20 −100.0 %');
    expect(await section('120 0 120 0 0')).toContain('0.0 %');
  });
});

it('a missing ratio is shown as none, and a ratio of zero as zero', () => {
  expect([shownRoi(null), shownRoi(0), shownRoi(-0.492)]).toEqual(['none', '0.0\u{A0}%', '−49.2\u{A0}%']);
  expect([
    shownPoints(null),
    shownPoints(0),
    shownPoints(0.04),
    shownPoints(0.05),
    shownPoints(-1.26),
  ]).toEqual(['', 'no change', 'no change', '+0.1 points', '−1.3 points']);
  expect(['Done', 'Done.', 'Done? ', 'Done…'].map(shownSentence)).toEqual([
    'Done.',
    'Done.',
    'Done? ',
    'Done…',
  ]);
});

const ownNights = async () => [{ night: '2026-11-20', state: 'published', tries: 1, trouble: null } as const];

it('the page of nights leads to damaged files of an older snapshot, too', async () => {
  class Damaged extends FakeSnapshots {
    override async list(account_id: bigint) {
      const listed = await super.list(account_id);
      const quarantine = { at: instantOf('2026-11-20T03:00:00.000000Z'), files: ['costs.parquet'] };
      return listed.map((each) => (each.snapshot_id === EARLIER ? { ...each, quarantine } : each));
    }
  }
  const browser = openBrowser(fakeApp({ snapshots: new Damaged(), ownNights }).app);
  await browser.signIn(TOKENS.personal);
  const page = await browser.page('/night');
  expect(page).toContain('<a href="#damaged">restore the damaged files</a>');
  expect(plain(page)).toContain(`Snapshot ${EARLIER} is damaged`);
});
