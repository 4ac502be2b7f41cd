/**
 * A table that is suddenly empty, or lost most of its rows, may be right. Or it shows a fault that the audit does not see,
 * because the control totals have it, too. Its rows are therefore counted again in the base tables, in another transaction and
 * without views.
 */
import type { Client } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { countBaseRows } from '../../ledger/moment/recount-base-tables.ts';
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import type { BuildEvent } from './events.ts';
import { manifestKey } from '../format/keys.ts';
import { decodeManifest, type Manifest, MANIFEST_CAP_BYTES } from '../format/manifest.ts';
import type { PublishLog } from '../format/publish-log.ts';
import type { SpooledTable } from './write-tables.ts';

/** A table with fewer rows often loses half of them, so it is recounted only if it is empty now. */
const MANY_ROWS = 1_000;

export interface ShrunkTable {
  readonly table: string;
  /** Rows in the previous snapshot. */
  readonly before: number;
  readonly rows: number;
}

interface Recount {
  readonly account_id: bigint;
  /** Runs a count in a fresh transaction of the account. */
  readonly count: <Result>(run: (client: Client) => Promise<Result>) => Promise<Result>;
  readonly onEvent: (event: BuildEvent) => void;
}

/** The tables that shrank since the snapshot before, and whose recount agrees; throws if a recount differs. */
export async function confirmShrunkTables(
  newest: Manifest | null,
  tables: readonly SpooledTable[],
  recount: Recount,
): Promise<readonly ShrunkTable[]> {
  const before = rowsOf(newest);
  const shrunk = tables
    .map(({ name, rows }) => ({ table: name, before: before.get(name) ?? 0, rows }))
    .filter((one) => hasShrunk(one));
  if (shrunk.length === 0) return [];
  await recount.count(async (client) => {
    for (const one of shrunk) {
      const counted = await countBaseRows(client, one.table, recount.account_id);
      if (counted !== null && counted !== one.rows) throw lostRows(one, counted);
    }
  });
  for (const one of shrunk) recount.onEvent({ kind: 'table.shrunk', ...one });
  return shrunk;
}

/** True if a table had rows and now has none, or had many and lost more than half of them. */
export function hasShrunk({ before, rows }: Pick<ShrunkTable, 'before' | 'rows'>): boolean {
  return before > 0 && (rows === 0 || (before >= MANY_ROWS && rows * 2 < before));
}

/** The manifest of the newest snapshot; null without a snapshot, or if it was deleted. */
export async function newestManifest(
  { account_id, entries }: PublishLog,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
): Promise<Manifest | null> {
  const head = entries.at(-1);
  if (head === undefined) return null;
  const key = manifestKey(head.prefix);
  const bytes = await untilAnswered(clock, () => store.readSmall(key, MANIFEST_CAP_BYTES));
  return bytes === null ? null : decodeManifest(bytes, { ...head, account_id });
}

/** The rows of each table of the snapshot; empty without one. */
export function rowsOf(snapshot: Manifest | null): ReadonlyMap<string, number> {
  return new Map(snapshot?.tables.map(({ name, row_count }) => [name, row_count]));
}

function lostRows({ table, before, rows }: ShrunkTable, counted: number): CrossfootError {
  return new CrossfootError(
    'table_lost_rows',
    `${table}: the file holds ${rows} rows, the last snapshot held ${before} and the ledger's base tables hold ${counted}; nothing was published.`,
    {
      hint: 'Build again. If the counts still differ, check the views and the latest migrations.',
      data: { table, expected: counted, found: rows },
    },
  );
}
