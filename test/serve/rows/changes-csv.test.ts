/** The changed rows as CSV are what DuckDB finds in the files of both snapshots, and what the page adds up. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diffs } from '../../../src/diff/diff-cache.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { readAll } from '../../store/contract.ts';
import { fakeApp } from '../fake-parts.ts';
import { openBrowser } from '../pages/browser.ts';
import { ACCOUNT, type MovedLedger, openMovedLedger, signedInTo } from './moved-ledger.ts';
import { type CsvLine, readCsv } from './read-csv.ts';

let company: MovedLedger;
let reader: SnapshotReader;
let diffs: Diffs;
let from = '';
let to = '';
beforeAll(async () => {
  company = await openMovedLedger();
  ({ reader, diffs, from, to } = company);
});
afterAll(() => company?.close());

const signedIn = (snapshots: SnapshotReader = reader, of: Diffs = diffs) => signedInTo(snapshots, of);

const csv = async (address: string): Promise<readonly CsvLine[]> =>
  readCsv(await (await signedIn()).page(address));

/** The comparison of these snapshots, as if so many costs had been added and nothing else. */
function counting(added: number): Diffs {
  return {
    ...diffs,
    use: (account, before, after, run) =>
      diffs.use(account, before, after, (diff) =>
        run({
          ...diff,
          tables: diff.tables.map((each) => ({
            ...each,
            added: each.name === 'costs' ? added : 0,
            removed: 0,
            changed: 0,
          })),
        }),
      ),
  };
}

/** The lines of a spreadsheet of so many changes. */
async function sheetOf(added: number): Promise<readonly string[]> {
  const browser = await signedIn(reader, counting(added));
  return (await browser.page(`/snapshots/${to}/changes.csv?spreadsheet=true`)).split('\r\n');
}

/** An instant of DuckDB in the form of the API; any other text as it is. */
function inApi(cell: string | null): string | null {
  const instant = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(cell ?? '');
  return instant === null ? cell : `${instant[1]}T${instant[2]}.${(instant[3] ?? '').padEnd(6, '0')}Z`;
}

/** The rows of a table of a snapshot by their key, as DuckDB reads them, every cell as text. */
async function cellsOf(id: string, table: string, key: string): Promise<Map<string, CsvLine>> {
  const bytes = await readAll(await reader.openTable(ACCOUNT, id, table));
  const rows = await askDuckDb(bytes, 'select columns(*)::varchar from file');
  const lines = (rows as CsvLine[]).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, inApi(cell)])),
  );
  return new Map(lines.map((row) => [String(row[key]), row]));
}

describe('the changed rows as CSV', () => {
  it('are all rows that differ, with each differing cell before and after, as DuckDB finds them', async () => {
    const lines = await csv(`/snapshots/${to}/changes.csv?from=${from}&table=costs`);
    const [before, after] = [
      await cellsOf(from, 'costs', 'cost_entry_id'),
      await cellsOf(to, 'costs', 'cost_entry_id'),
    ];
    const columns = Object.keys([...after.values()][0] ?? {}).filter(
      (name) => !['snapshot_id', 'cost_entry_id'].includes(name),
    );
    const expected = [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
      const [was, is] = [before.get(key), after.get(key)];
      const differing = columns.filter((name) => was?.[name] !== is?.[name]);
      if (was !== undefined && is !== undefined && differing.length === 0) return [];
      const cells = differing.flatMap((name) => [
        [`${name}_before`, was?.[name] ?? null],
        [`${name}_after`, is?.[name] ?? null],
      ]);
      return [[key, Object.fromEntries(cells.filter(([, cell]) => cell !== null))]];
    });
    const found = lines.map((line) => {
      const cells = columns.flatMap((name) => [`${name}_before`, `${name}_after`]);
      const shown = cells.filter((name) => line[name] !== null).map((name) => [name, line[name]]);
      return [line['key'], Object.fromEntries(shown)];
    });
    expect(found).toHaveLength(4); // two recorded, one edited, one deleted
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });

  it('are the entries of the page, whose effects add up to the change of net value', async () => {
    const lines = await csv(`/snapshots/${to}/changes.csv`);
    expect(lines.map(({ table, change, reason }) => `${table} ${change} ${reason}`).toSorted()).toEqual([
      'costs added entry_added',
      'costs added entry_added',
      'costs changed entry_edited',
      'costs removed entry_deleted',
      'reported_value added approved',
    ]);
    const sum = (name: string): bigint => lines.reduce((so, line) => so + BigInt(line[name] ?? 0), 0n);
    // Value +$1,380.00; costs +$1,250.00 + $0.01 + $62.50 − $60.00 = +$1,252.51; net +$127.49.
    expect([sum('cash_value_effect_cents'), sum('cost_effect_cents'), sum('net_value_effect_cents')]).toEqual(
      [138_000n, 125_251n, 12_749n],
    );
    const backwards = await csv(`/snapshots/${from}/changes.csv?from=${to}`);
    expect(backwards.map(({ change }) => String(change)).toSorted()).toEqual([
      'added',
      'changed',
      'removed',
      'removed',
      'removed',
    ]);
  });

  it('are linked from the page, have a name, and are safe for a spreadsheet on request', async () => {
    const browser = await signedIn();
    const page = await browser.page(`/snapshots/${to}/changes`);
    const links = [...page.matchAll(/href="([^"]*changes\.csv[^"]*)"/g)].map(([, href = '']) => href);
    expect(links.slice(0, 2)).toEqual([
      `../../snapshots/${to}/changes.csv?from=${from}`,
      `../../snapshots/${to}/changes.csv?from=${from}&amp;spreadsheet=true`,
    ]);
    const answer = await browser.send(`/snapshots/${to}/changes.csv?spreadsheet=true`);
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="changes-${from}-${to}-spreadsheet.csv"`,
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 12).toString()).toBe('\u{FEFF}Table,Key');
    const head = await browser.send(`/snapshots/${to}/changes.csv`, { method: 'HEAD' });
    expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
  });

  it('have dollars with decimals, days and titles in a spreadsheet, and the same sums', async () => {
    const lines = await csv(`/snapshots/${to}/changes.csv?spreadsheet=true`);
    const sum = (name: string): bigint =>
      lines.reduce((so, line) => so + BigInt((line[name] ?? '0.00').replace('.', '')), 0n);
    expect(lines.every((line) => /^-?\d+\.\d\d$/.test(line['Effect on net value'] ?? ''))).toBe(true);
    expect([sum('Effect on cash value'), sum('Effect on cost'), sum('Effect on net value')]).toEqual([
      138_000n,
      125_251n,
      12_749n,
    ]);
    const edited = lines.find(({ Change }) => Change === 'changed');
    expect(edited?.['Initiative']).toBe('Invoices');
    expect(edited?.['Dollars before']).toMatch(/^-?\d+\.\d\d$/);
  });

  it('have all columns and no title where the rows are too many to be read twice', async () => {
    const [most, more] = [await sheetOf(200_000), await sheetOf(200_001)];
    expect(more).toHaveLength(most.length);
    const [some, all] = [most, more].map(([head = '']) => head.split(','));
    expect(all).toEqual(expect.arrayContaining(some ?? []));
    expect(all?.length).toBeGreaterThan(some?.length ?? 0);
  });

  it('are refused for an unknown table, snapshot or parameter, and without a session', async () => {
    const browser = await signedIn();
    const status = async (address: string) => (await browser.send(address)).status;
    expect(await status(`/snapshots/${to}/changes.csv?table=secrets`)).toBe(400);
    expect(await status(`/snapshots/${to}/changes.csv?spreadsheet=yes`)).toBe(400);
    expect(await status(`/snapshots/${to}/changes.csv?page=2`)).toBe(400);
    expect(await status(`/snapshots/${to}/changes.csv?from=20200101T000000Z`)).toBe(404);
    const out = await openBrowser(fakeApp({ snapshots: reader, diffs }).app).send(
      `/snapshots/${to}/changes.csv`,
    );
    expect([out.status, out.headers.get('location')]).toEqual([
      303,
      `../../?to=snapshots%2F${to}%2Fchanges.csv`,
    ]);
  });

  it('let the comparison go when the reader stops early', async () => {
    let [begun, ended] = [0, 0];
    const counted: Diffs = {
      ...diffs,
      use: (...call) => ((begun += 1), diffs.use(...call).finally(() => (ended += 1))),
    };
    const browser = await signedIn(reader, counted);
    const answer = await browser.send(`/snapshots/${to}/changes.csv`);
    await answer.body?.cancel();
    await expect.poll(() => [begun, ended]).toEqual([1, 1]);
  });
});
