/** Snapshots whose rows a test states: cells by column, everything else empty. Cheaper than a build, and worked by hand. */
import type { Change } from '../../src/diff/change.ts';
import { cacheDiffs, type Diffs } from '../../src/diff/diff-cache.ts';
import type { ReadableSnapshot } from '../../src/snapshot/format/served-manifest.ts';
import type { FieldValue, TableRows } from '../../src/snapshot/read/rows.ts';
import { TABLES } from '../../src/tables/all.ts';
import type { Table } from '../../src/tables/table.ts';
import { fakeApp, FakeSnapshots, TOKENS } from './fake-parts.ts';
import { openBrowser } from './pages/browser.ts';

type Row = Readonly<Record<string, FieldValue>>;
export type GivenTables = Readonly<Record<string, readonly Row[]>>;

/** Every snapshot has these rows, and no row in any other table. */
class GivenSnapshots extends FakeSnapshots {
  readonly tables: GivenTables;

  constructor(tables: GivenTables) {
    super();
    this.tables = tables;
  }

  override async latest(account_id: bigint): Promise<ReadableSnapshot | null> {
    return withAllTables(await super.latest(account_id));
  }

  override async pinned(account_id: bigint, snapshot_id: string): Promise<ReadableSnapshot | null> {
    return withAllTables(await super.pinned(account_id, snapshot_id));
  }

  override async openRows(_account_id: bigint, _snapshot_id: string, table: Table): Promise<TableRows> {
    return rowsOf(table, this.tables[table.name] ?? []);
  }
}

function withAllTables(snapshot: ReadableSnapshot | null): ReadableSnapshot | null {
  const [first] = snapshot?.tables ?? [];
  if (snapshot === null || first === undefined) return null;
  return {
    ...snapshot,
    tables: TABLES.map(({ name }) => ({ ...first, name, sha256: name.padEnd(64, '0') })),
  };
}

function rowsOf(table: Table, given: readonly Row[]): TableRows {
  return {
    count: given.length,
    columns: table.columns,
    turn: async () => undefined,
    groups: given.length === 0 ? [] : [{ first: 0, rows: given.length, greatest: () => null }],
    async *read(names, { from = 0, to = given.length } = {}) {
      const some = given.slice(from, to);
      const columns = names.map((name) => some.map((row) => row[name] ?? null));
      yield { first: from, rows: some.length, columns };
    },
  };
}

/** Comparisons of any two snapshots with these changed rows, in the order of the tables. */
function givenDiffs(changes: readonly Change[]): Diffs {
  const sorted = TABLES.flatMap(({ name }) => changes.filter(({ table }) => table === name));
  return cacheDiffs(async () => ({
    tables: TABLES.map(({ name }) => ({
      name,
      added: 0,
      removed: 0,
      changed: sorted.filter(({ table }) => table === name).length,
    })),
    size_bytes: 0,
    read: async (first, end) => sorted.slice(first, end),
    close: async () => undefined,
  }));
}

/** A browser that is signed in to an application over these rows and changes. */
export async function signedInToRows(tables: GivenTables, changes: readonly Change[] = []) {
  const browser = openBrowser(
    fakeApp({ snapshots: new GivenSnapshots(tables), diffs: givenDiffs(changes) }).app,
  );
  await browser.signIn(TOKENS.personal);
  return browser;
}
