/** Every surface that shows a figure of `reported_totals`, asked for each of its rows and compared with it. */
import { liveRoi } from '../../../src/figures/roi.ts';
import { cash, cents } from '../../../src/figures/cents.ts';
import { shownDollars, shownRoi, shownWindow } from '../../../src/serve/frame/shown-values.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { type BuildHarness, type Served, fileOf } from '../../snapshot/builder/real-build.ts';
import { readerAt } from '../../snapshot/builder/build-harness.ts';
import { asAccount } from '../../../src/ledger/account-session.ts';
import { askingOf } from '../assistant/questions.ts';
import { TOKENS, bearer, fakeApp } from '../fake-parts.ts';
import { textOf } from '../money/served-company.ts';
import { openBrowser } from '../pages/browser.ts';
import { type CsvLine, readCsv } from '../rows/read-csv.ts';
import { dollarsOf } from './focus-dollars.ts';
import { compareBudgets, comparePlans, compareSpend } from './other-figures.ts';
import { compareTold } from './told-figures.ts';

const TODAY = '2026-07-15';

interface Row {
  readonly initiative_id: bigint | null;
  readonly window_key: string;
  readonly cost_cents: bigint;
  readonly cash_value_cents: bigint;
  readonly net_value_cents: bigint;
  readonly freed_capacity_cents: bigint;
  readonly roi: number | null;
}

/** What the surfaces of an account show beside `reported_totals`. */
export interface Compared {
  /** By the name of the surface: how many of its figures were compared. */
  readonly figures: ReadonlyMap<string, number>;
  /** The figures that differ, with their surface; empty if all are equal. */
  readonly different: readonly string[];
  /** How many of the compared budgets have ended. */
  readonly ended: number;
}

const FIGURES = ['cost_cents', 'cash_value_cents', 'net_value_cents', 'freed_capacity_cents'] as const;

interface AskedSnapshots {
  readonly at: bigint;
  readonly before_id: string;
  /** The windows to ask for; all if omitted. */
  readonly windows?: readonly string[] | undefined;
}

/**
 * Asks every surface of the account for each row of `reported_totals` of its newest snapshot, and for the figures that this
 * table does not have.
 */
export async function askSurfaces(
  harness: BuildHarness,
  account_id: bigint,
  { at, before_id, windows }: AskedSnapshots,
): Promise<Compared> {
  const served = await harness.served(account_id);
  if (served === null) throw new Error(`account ${account_id} has no snapshot`);
  const all = (await askDuckDb(fileOf(served, 'reported_totals'), 'select * from file')) as unknown as Row[]; // its columns
  const rows = windows === undefined ? all : all.filter(({ window_key }) => windows.includes(window_key));
  const reader = readerAt(harness.store, () => at);
  const pool = harness.database.pool('cf_reader', 4);
  const holder = { token_id: 1n, account_id, user_id: 1n, api_access: true, reporting_enabled: true };
  const { app } = fakeApp({
    snapshots: reader,
    authenticate: async () => ({ ...holder, kind: 'personal' }),
    findHolder: async () => ({ ...holder, kind: 'personal' }),
    inAccount: (session, run) => asAccount(pool, session, run),
    readToday: async () => TODAY,
  });
  const browser = openBrowser(app);
  await browser.signIn(TOKENS.personal);
  const figures = new Map<string, number>();
  const different: string[] = [];
  const equal = (
    surface: string,
    place: string,
    found: readonly unknown[],
    expected: readonly unknown[],
  ): void => {
    figures.set(surface, (figures.get(surface) ?? 0) + expected.length);
    const [is, wanted] = [JSON.stringify(found), JSON.stringify(expected)];
    if (is !== wanted) different.push(`${surface}, ${place}: ${is}, reported_totals has ${wanted}`);
  };
  const get = async (path: string): Promise<Record<string, unknown>> =>
    (await (await app.request(`/v1${path}`, bearer(TOKENS.personal))).json()) as Record<string, unknown>;
  const asking = askingOf({ database: harness.database, app, ask: get, close: async () => {} } as never);
  const pages = new Map<string, Promise<string>>();
  const page = (path: string): Promise<string> => {
    const asked = pages.get(path) ?? browser.page(path).then(withoutJoiners);
    pages.set(path, asked);
    return asked;
  };

  for (const row of rows) {
    const { initiative_id: id, window_key: window } = row;
    const place = `${id ?? 'portfolio'} ${window}`;
    const numbers = FIGURES.map((name) => Number(row[name]));
    const roi = roiOf(row);
    // The one figure with another rule: the column is empty, too, where cash value is not above zero.
    equal('file', place, [row.roi], [row.cash_value_cents > 0n ? roi : null]);
    const of = id === null ? '' : `&initiative_id=${id}`;
    for (const [surface, path] of [
      ['API live', `/roi?window=${window}${of}`],
      ['API as of', `/roi?window=${window}${of}&snapshot_id=${served.snapshot_id}`],
    ] as const) {
      const body = await get(path);
      equal(surface, place, answered(body), [...numbers, roi]);
    }
    const scope = id === null ? {} : { initiative_id: Number(id) };
    for (const [surface, as] of [
      ['assistant live', {}],
      ['assistant as of', { snapshot: served.snapshot_id }],
    ] as const) {
      const { structured = {}, text } = await asking.call('get_roi_summary', { window, ...scope, ...as });
      equal(surface, place, answered(structured), [...numbers, roi]);
      const percent =
        roi === null
          ? 'none'
          : shownRoi(roi)
              .replace('−', '-')
              .replaceAll(/[,\u{A0}]/gu, '');
      equal(surface, `${place} in words`, [/Return \(ROI\): (none|[^ ]*%)/.exec(text)?.[1]], [percent]);
    }
  }
  for (const row of rows.filter(({ window_key }) => window_key === 'all')) {
    const { initiative_id: id } = row;
    const shown = shownFigures(row);
    const statement = await page(id === null ? '/' : `/initiatives/${id}`);
    equal(id === null ? 'overview' : 'page of an initiative', String(id), statementOf(statement), shown);
    if (id === null) continue;
    const chart = chartNet(statement);
    if (chart !== null)
      equal('chart of an initiative', String(id), [String(chart)], [String(row.net_value_cents)]);
    const ranking = await page('/initiatives?window=all');
    const ranked = rankedFigures(ranking, id);
    // An initiative without any figure is only named below the list.
    if (FIGURES.every((name) => row[name] === 0n) && ranked === null) continue;
    equal('initiatives', String(id), ranked ?? [], shown);
  }
  const snapshot = await page(`/snapshots/${served.snapshot_id}`);
  for (const row of rows.filter(({ initiative_id }) => initiative_id === null)) {
    const [cost, value, net, freed, roi] = shownFigures(row);
    equal('page of the snapshot', row.window_key, windowOf(snapshot, row.window_key), [
      value,
      freed,
      cost,
      net,
      roi,
    ]);
  }
  const focus = async (): Promise<readonly CsvLine[]> => {
    const form = { forSpreadsheets: false };
    const file = await reader.openCsv(account_id, served.snapshot_id, 'focus', form);
    return await readCsv(await new Response(file).text());
  };
  await compareFiles({
    served,
    rows,
    equal,
    csv: async (path) => await readCsv(await browser.page(path)),
    focus,
  });
  const call = (tool: string, question: Record<string, unknown>) => asking.call(tool, question);
  const asked = { harness, account_id, reader, served, equal, get, call, page };
  const ended = await compareBudgets(asked);
  await compareSpend(asked);
  await comparePlans(asked);
  const before = await reader.pinned(account_id, before_id);
  if (before === null) throw new Error(`account ${account_id} has no snapshot ${before_id}`);
  await compareTold(asked, before);
  return { figures, different, ended };
}

/** The figures of a row as pages write them, in the order of a statement. */
function shownFigures(row: Row): readonly string[] {
  const [cost, value, net, freed] = FIGURES.map((name) => withoutJoiners(shownDollars(row[name])));
  return [cost, value, net, freed, shownRoi(roiOf(row))].map((text = '') => text);
}

/** The text without the characters that keep a sign and a currency in one line. */
function withoutJoiners(text: string): string {
  return text.replaceAll('\u{2060}', '');
}

function roiOf({ cash_value_cents, cost_cents }: Row): number | null {
  return liveRoi(cash(cash_value_cents), cents(cost_cents));
}

function answered(body: Record<string, unknown>): readonly unknown[] {
  return ['total_cost_cents', 'cash_value_cents', 'net_value_cents', 'freed_capacity_cents', 'roi'].map(
    (name) => body[name],
  );
}

/** The five figures of the statement of all time: cost, value, net, capacity, ROI. */
function statementOf(markup: string): readonly string[] {
  const statements = markup.split('<div class="statement').slice(1);
  const statement =
    statements.find((each) => textOf(`<${each.slice(0, HEADING)}`).includes('All time')) ?? '';
  const found = [...statement.matchAll(/class="amount"><a href="[^"]+">([^<]+)</g)];
  const [cost = '', value = '', net = '', roi = '', freed = ''] = found.map(([, amount = '']) => amount);
  return [cost, value, net, freed, roi];
}

/** The last net value of the chart, and what the page says that the chart leaves out; null without a chart. */
function chartNet(markup: string): bigint | null {
  const last = [...markup.matchAll(/data-column="Net so far">([^<]+)</g)].at(-1)?.[1];
  if (last === undefined) return null;
  const left = [
    ...textOf(markup).matchAll(
      /(?:Without a date|Dated after the chart): cost (\S+), cash value (\S*\d)[.,]/g,
    ),
  ];
  return left.reduce((net, [, cost = '', value = '']) => net + centsOf(value) - centsOf(cost), centsOf(last));
}

function centsOf(dollars: string): bigint {
  return BigInt(dollars.replace('−', '-').replaceAll(/[$.,]/g, ''));
}

/** The figures of an initiative in the list; null if it is not in it. */
function rankedFigures(markup: string, id: bigint): readonly string[] | null {
  const [, after] = markup.split(
    new RegExp(`<tr>\\s*<th scope="row">\\s*<a href="[^"]*initiatives/${id}[?"]`),
  );
  if (after === undefined) return null;
  const [row = ''] = after.split('</tr>');
  const cell = (name: string): string =>
    textOf(new RegExp(`data-column="${name}">(.*?)</td>`, 's').exec(row)?.[1] ?? '');
  const net = textOf(/<td class="r net"[^>]*>(.*?)<\/td>/s.exec(row)?.[1] ?? '');
  return [
    cell('Cost'),
    cell('Cash value'),
    net,
    cell('Freed capacity'),
    cell('ROI').replace(' %', '\u{A0}%'),
  ];
}

/** The figures of a window of the portfolio on the page of a snapshot. */
function windowOf(markup: string, window_key: string): readonly string[] {
  const [, totals = ''] = markup.split('id="totals"');
  const [, after = ''] = totals.split(`<th scope="row">${shownWindow(window_key)}</th>`);
  const [row = ''] = after.split('</tr>');
  return [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.trim());
}

/** The characters of a statement with its heading. */
const HEADING = 600;

interface Files {
  readonly served: Served;
  readonly rows: readonly Row[];
  readonly equal: (
    surface: string,
    place: string,
    found: readonly unknown[],
    expected: readonly unknown[],
  ) => void;
  readonly csv: (path: string) => Promise<readonly CsvLine[]>;
  readonly focus: () => Promise<readonly CsvLine[]>;
}

/** The files beside the tables: the CSV of the rows, and the FOCUS file, whose charges are the costs. */
async function compareFiles({ served, rows, equal, csv, focus }: Files): Promise<void> {
  const lines = await csv(`/snapshots/${served.snapshot_id}/tables/reported_totals.csv`);
  for (const row of rows) {
    const line = lines.find(
      (each) =>
        (each['initiative_id'] ?? '') === String(row.initiative_id ?? '') &&
        each['window_key'] === row.window_key,
    );
    equal(
      'CSV',
      `${row.initiative_id} ${row.window_key}`,
      FIGURES.map((name) => line?.[name]),
      FIGURES.map((name) => String(row[name])),
    );
  }
  const charges = (await focus()).flatMap((line) =>
    (line['x_UsdRate'] ?? null) === null ? [] : [{ id: line['x_InitiativeId'], cents: dollarsOf(line) }],
  );
  const charged = (id: bigint | null): bigint =>
    charges.reduce((sum, each) => (id === null || each.id === String(id) ? sum + each.cents : sum), 0n);
  for (const row of rows.filter(({ window_key }) => window_key === 'all')) {
    equal('FOCUS', String(row.initiative_id), [String(charged(row.initiative_id))], [String(row.cost_cents)]);
  }
}
