/** What the pages of money read of a snapshot: the sums and not the rows, and the rows if the sums are damaged. */
import { join } from 'node:path';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UsageSum } from '../../../src/figures/usage.ts';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { snapshotFiles } from '../../../src/serve/live/snapshot-files.ts';
import { createUsage } from '../../../src/serve/live/snapshot-usage.ts';
import { rowReader } from '../../../src/snapshot/read/rows.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { COMPANION_SET, COMPANIONS } from '../../../src/tables/companions.ts';
import { SUMS_SET } from '../../../src/tables/sums.ts';
import { withFolder } from '../../parquet/temporary-folder.ts';
import { buildAlone, bytesOf, type PublishedBuild, query } from '../../snapshot/audit/built-set.ts';
import { readerAt } from '../../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';
import { figuresApp } from '../live/figures-app.ts';
import { openBrowser } from '../pages/browser.ts';

let harness: BuildHarness;
let built: PublishedBuild;
beforeAll(async () => {
  harness = await openBuildHarness('template_company');
  built = await buildAlone(harness, await readChecksBeside([COMPANION_SET, SUMS_SET]));
});
afterAll(() => harness?.close());

const asked = (snapshots: SnapshotReader) =>
  figuresApp(harness.database, 1n, '2026-07-15', { snapshots })('/roi?snapshot_id=latest');

async function signedIn(snapshots: SnapshotReader) {
  const holder = { token_id: 1n, account_id: 1n, user_id: null, kind: 'reporting' } as const;
  const findHolder = async () => ({ ...holder, api_access: true, reporting_enabled: true });
  const browser = openBrowser(fakeApp({ snapshots, findHolder }).app);
  await browser.signIn(TOKENS.reporting);
  return browser;
}

/** The tables with a row for each entry: their keys, which stay unique when their rows are repeated. */
const GROWING = {
  costs: 'cost_entry_id',
  reported_value: 'value_entry_id',
  approval_decisions: 'approval_decision_id',
  api_ai_usage: 'id',
};

/** The file of a table with its rows so many times. */
async function repeated(table: keyof typeof GROWING, times: number, which = 'true'): Promise<Buffer> {
  return await withFolder(async (folder) => {
    const [from, to] = [join(folder, 'from.parquet'), join(folder, 'to.parquet')];
    await writeFile(from, fileOf(table));
    const key = GROWING[table];
    await query(
      `copy (select * replace (${key} + 1000000 * n as ${key}) from '${from}', range(${times}) t (n) where n = 0 or ${which} order by ${key}) to '${to}' (format parquet, compression zstd)`,
    );
    return await readFile(to);
  });
}

/** The file of a table of any set. */
function fileOf(table: string): Buffer {
  const files = [bytesOf(built, `${table}.parquet`), bytesOf(built, `${table}.companion`)];
  const [file] = files.filter(({ length }) => length > 0);
  if (file === undefined) throw new Error(`${table} is not published`);
  return file;
}

/** The bytes that the first view of each page reads of tables, of a snapshot whose entries are there so many times. */
async function bytesByPage(pages: readonly string[], times: number): Promise<Record<string, number>> {
  const large = new Map<string, Buffer>();
  for (const table of ['costs', 'reported_value', 'api_ai_usage'] as const)
    large.set(table, await repeated(table, times));
  const found: Record<string, number> = {};
  for (const page of pages) {
    let bytes = 0;
    const open = rowReader(async () => undefined);
    const openRows: SnapshotReader['openRows'] = async (_, id, table) => {
      const file = large.get(table.name) ?? fileOf(table.name);
      const read = async (from: number, to: number) => {
        bytes += to + 1 - from;
        return Uint8Array.from(file.subarray(from, to + 1));
      };
      return await open(`${id} ${table.name}`, { size_bytes: file.length, read }, table);
    };
    const browser = await signedIn({ ...built.reader, openRows });
    expect(await browser.page(page)).toContain(built.snapshot.snapshot_id);
    found[page] = bytes;
  }
  return found;
}

describe('the first view of a page of money', () => {
  const pages = ['/', '/initiatives', '/budgets', '/ai-spend'];
  it('reads no more bytes of a snapshot with a thousand times the entries', async () => {
    const [one, thousand] = [await bytesByPage(pages, 1), await bytesByPage(pages, 1_000)];
    expect(thousand).toEqual(one);
    for (const bytes of Object.values(one)) expect(bytes).toBeLessThan(200_000);
  });

  it('reads no text of the decisions about value entries, which it counts', async () => {
    const file = await repeated('approval_decisions', 1_000, "subject_kind = 'value_entry'");
    const source = {
      size_bytes: file.length,
      read: async (from: number, to: number) => Uint8Array.from(file.subarray(from, to + 1)),
    };
    let reasons = 0;
    let count = 0;
    const openRows: SnapshotReader['openRows'] = async (account, id, table) => {
      if (table.name !== 'approval_decisions') return await built.reader.openRows(account, id, table);
      const rows = await rowReader(async () => undefined)('decisions', source, table);
      count = rows.count;
      const read: typeof rows.read = async function* (names, range) {
        for await (const piece of rows.read(names, range)) {
          if (names.some((name) => name === 'reason')) reasons += piece.rows;
          yield piece;
        }
      };
      return { ...rows, read };
    };
    const browser = await signedIn({ ...built.reader, openRows });
    // The fixtures have 21 decisions about its value entries, and here each is there a thousand times.
    expect(await browser.page('/initiatives/101')).toContain('21,000 decisions about value entries');
    // Of the decisions about it, its charter and its budgets every column is shown; of the thousands of others, their number.
    expect(count).toBeGreaterThan(10_000);
    expect(reasons).toBeGreaterThan(0);
    expect(reasons).toBeLessThan(100);
  });

  it('reads the usage of AI bills, and the second view reads no table of usage', async () => {
    const opened: string[] = [];
    const openRows: SnapshotReader['openRows'] = (account, id, table) => {
      opened.push(table.name);
      return built.reader.openRows(account, id, table);
    };
    const browser = await signedIn({ ...built.reader, openRows });
    await browser.page('/ai-spend');
    expect(opened).toContain(COMPANIONS.usage_sums.name);
    expect(opened).not.toContain(COMPANIONS.ai_usage.name);
    opened.length = 0;
    await browser.page('/ai-spend');
    expect(opened).toEqual([]);
  });
});

describe('the usage of a snapshot', () => {
  it('is equal from its sums and from its rows, which an older version has alone', async () => {
    const { companions } = built.snapshot;
    const older = {
      ...built.snapshot,
      ...(companions && { companions: { ...companions, later: companions.later?.filter(isRows) } }),
    };
    const [sums, rows] = await Promise.all(
      [built.snapshot, older].map((snapshot) =>
        createUsage(1_000_000)(snapshotFiles(built.reader, 1n, snapshot)),
      ),
    );
    expect(sums?.length).toBeGreaterThan(10);
    expect(inOrder(rows)).toEqual(inOrder(sums));
  });
});

const isRows = ({ name }: { readonly name: string }): boolean => name === COMPANIONS.ai_usage.name;

const inOrder = (sums: readonly UsageSum[] | null | undefined): readonly UsageSum[] =>
  (sums ?? []).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
const keyOf = ({ month, currency, model, unit, recorded, cost_class }: UsageSum): string =>
  JSON.stringify([month, currency, model, unit, recorded, cost_class]);

describe('a snapshot with a damaged file of sums', () => {
  it.each(SUMS_SET.tables.map(({ name }) => name))(
    'shows pages from its rows, and names %s as damaged',
    async (name) => {
      const pages = ['/', '/initiatives', '/initiatives/101'];
      const objects = new Map(built.objects);
      const key = `${built.entry.prefix}/${name}.companion`;
      objects.set(
        key,
        Uint8Array.from(bytesOf(built, `${name}.companion`), (byte, at) => byte ^ (at === 9 ? 1 : 0)),
      );
      const reader = readerAt(memoryStore(objects), () => AT);
      const [intact, damaged] = [await signedIn(built.reader), await signedIn(reader)];
      for (const page of pages) {
        expect(amountsOf(await damaged.page(page))).toEqual(amountsOf(await intact.page(page)));
      }
      expect((await asked(reader)).text).toBe((await asked(built.reader)).text);
      expect((await reader.latest(1n))?.quarantine?.files).toEqual([`${name}.companion`]);
    },
  );
});

function amountsOf(page: string): readonly string[] {
  return [...page.matchAll(/−?\$[\d,.]+/g)].map(([amount]) => amount);
}
