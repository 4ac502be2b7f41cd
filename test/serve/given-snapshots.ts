/** Snapshots whose rows a test states: cells by column, everything else empty. Cheaper than a build, and worked by hand. */
import { createHash } from 'node:crypto';
import type { Change } from '../../src/diff/change.ts';
import { cacheDiffs, type Diffs } from '../../src/diff/diff-cache.ts';
import type { ReadableSnapshot } from '../../src/snapshot/format/served-manifest.ts';
import type { FieldValue, RowsOf, TableRows } from '../../src/snapshot/read/rows.ts';
import { TABLES } from '../../src/tables/all.ts';
import { SUM_TABLES } from '../../src/tables/sums.ts';
import type { Table } from '../../src/tables/table.ts';
import { EARLIER, fakeApp, FakeSnapshots, TOKENS } from './fake-parts.ts';
import { emptyOf } from './fake-rows.ts';
import { openBrowser } from './pages/browser.ts';

type Row = Readonly<Record<string, FieldValue>>;
type GivenTables = Readonly<Record<string, readonly Row[]>>;
/** The rows of a snapshot of an account. */
type TablesOf = (account_id: bigint, snapshot_id: string) => GivenTables;

export class GivenSnapshots extends FakeSnapshots {
  readonly #tablesOf: TablesOf;
  readonly #group_rows: number | undefined;

  /** Each file has one row group, or groups of so many rows. */
  constructor(tablesOf: TablesOf, group_rows?: number) {
    super();
    this.#tablesOf = tablesOf;
    this.#group_rows = group_rows;
  }

  override async latest(account_id: bigint): Promise<ReadableSnapshot | null> {
    const snapshot = await super.latest(account_id);
    return snapshot === null ? null : this.#withFiles(snapshot);
  }

  override async pinned(account_id: bigint, snapshot_id: string): Promise<ReadableSnapshot | null> {
    const snapshot = await super.pinned(account_id, snapshot_id);
    return snapshot === null ? null : this.#withFiles(snapshot);
  }

  override async list(account_id: bigint): Promise<readonly ReadableSnapshot[]> {
    return (await super.list(account_id)).map((snapshot) => this.#withFiles(snapshot));
  }

  override async openRows<Of extends Table>(
    account_id: bigint,
    snapshot_id: string,
    table: Of,
  ): Promise<RowsOf<Of>> {
    const given = this.#tablesOf(account_id, snapshot_id)[table.name] ?? [];
    return rowsOf(table, given, this.#group_rows) as RowsOf<Of>; // the tests give values of the columns
  }

  /**
   * The snapshot with every table, and with the sums if a test states their rows. No two tables have one digest, because their
   * rows differ.
   */
  #withFiles(snapshot: ReadableSnapshot): ReadableSnapshot {
    const { account_id, snapshot_id } = snapshot;
    const given = this.#tablesOf(BigInt(account_id), snapshot_id);
    const fileOf = (name: string) => {
      const sha256 = createHash('sha256').update(`${account_id} ${snapshot_id} ${name}`).digest('hex');
      return { name, size_bytes: 1, sha256, blocks_sha256: sha256 };
    };
    const tables = TABLES.map(({ name }) => ({ ...fileOf(name), row_count: 1 }));
    const stated = Object.keys(SUM_TABLES).filter((name) => given[name] !== undefined);
    if (stated.length === 0) return { ...snapshot, tables };
    const sums = { tables: stated.map(fileOf), report: { size_bytes: 1, sha256: '0'.repeat(64) } };
    return { ...snapshot, tables, sums };
  }
}

/** The given rows of a table, in groups of so many; a group knows its least and greatest id. */
export function rowsOf(table: Table, given: readonly Row[], group_rows = given.length): TableRows {
  const groups: TableRows['groups'][number][] = [];
  for (let first = 0; first < given.length; first += group_rows) {
    const own = given.slice(first, first + group_rows);
    const ids = (column: string): readonly bigint[] =>
      group_rows === given.length
        ? []
        : own
            .flatMap(({ [column]: id }) => (typeof id === 'bigint' ? id : []))
            .toSorted((a, b) => (a < b ? -1 : 1));
    groups.push({
      first,
      rows: own.length,
      least: (column) => ids(column)[0] ?? null,
      greatest: (column) => ids(column).at(-1) ?? null,
    });
  }
  return {
    count: given.length,
    columns: table.columns,
    turn: async () => undefined,
    groups,
    // Like a reader of files: piece by piece, no piece of two groups.
    async *read(names, { from = 0, to = given.length } = {}) {
      for (const group of groups) {
        const first = Math.max(from, group.first);
        const some = given.slice(first, Math.min(to, group.first + group.rows));
        if (some.length === 0) continue;
        const columns = names.map((name) => {
          const column = table.columns.find((each) => each.name === name);
          const empty = column === undefined ? null : emptyOf(column);
          return some.map((row) => (row[name] === undefined ? empty : row[name]));
        });
        yield { first, rows: some.length, columns };
      }
    },
  };
}

export const OLDER = '20261101T020000Z';

/** The snapshots of these rows, and a third before them. */
export class ThreeSnapshots extends GivenSnapshots {
  override async pinned(account_id: bigint, snapshot_id: string) {
    const found = await super.pinned(account_id, snapshot_id === OLDER ? EARLIER : snapshot_id);
    return found && { ...found, snapshot_id };
  }
}

/** Comparisons of any two snapshots with these changed rows, in the order of the tables. */
export function givenDiffs(changes: readonly Change[]): Diffs {
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

/** An application over these rows and changes; the rows may differ by account and snapshot. */
export function appOfRows(tablesOf: TablesOf, changes: readonly Change[] = []) {
  return fakeApp({ snapshots: new GivenSnapshots(tablesOf), diffs: givenDiffs(changes) }).app;
}

/** A browser that is signed in to an application in which every snapshot has these rows and changes. */
export async function signedInToRows(tables: GivenTables, changes: readonly Change[] = []) {
  const browser = openBrowser(appOfRows(() => tables, changes));
  await browser.signIn(TOKENS.personal);
  return browser;
}
