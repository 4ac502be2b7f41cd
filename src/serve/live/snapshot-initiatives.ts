/** The initiatives of a snapshot, and the addresses of their pages. */
import type { InitiativeHead, InitiativeRow } from '../../ledger/lists/initiatives.ts';
import { type FrozenRow, frozenRows, type SnapshotFiles } from './snapshot-files.ts';
import { readFrozenPage } from './snapshot-lists.ts';

const HEAD = ['initiative_id', 'title', 'stage', 'app_url'] as const;
/** The columns that the companion table lacks, or has with any text. */
const MORE = ['initiative_id', 'stage', 'planned_value_period', 'app_url', 'currency'] as const;

/** Every initiative of the snapshot, the latest change first. */
export async function readFrozenHeads(files: SnapshotFiles): Promise<readonly InitiativeHead[]> {
  const heads = new Map<bigint, InitiativeHead>();
  for await (const { initiative_id: id, ...head } of frozenRows(await files.table('initiatives'), HEAD)) {
    heads.set(id, { id, ...head });
  }
  // The companion has the order of the list.
  const order = await Array.fromAsync(frozenRows(await files.companion('initiatives'), ['id']));
  return order.toReversed().flatMap(({ id }) => heads.get(id) ?? []);
}

/** The initiative; null if the snapshot does not have it. */
export async function readFrozenInitiative(files: SnapshotFiles, id: bigint): Promise<InitiativeRow | null> {
  const [found] = await readFrozenPage(files, 'initiatives', { after: null, rows: 1 }, { id });
  let more: FrozenRow<'initiatives', typeof MORE> | undefined;
  for await (const row of frozenRows(await files.table('initiatives'), MORE)) {
    if (row.initiative_id === id) more = row;
  }
  // The companion and the table together have the fields of the initiative.
  return found === undefined || more === undefined ? null : { ...found, ...more };
}

/** The page of each initiative in any of the snapshots. */
export async function initiativePages(
  snapshots: readonly SnapshotFiles[],
): Promise<ReadonlyMap<number, string>> {
  const pages = new Map<number, string>();
  for (const { table } of snapshots) {
    for await (const row of frozenRows(await table('initiatives'), ['initiative_id', 'app_url'])) {
      pages.set(Number(row.initiative_id), row.app_url);
    }
  }
  return pages;
}

/**
 * Returns a function that turns a path into its address in the application. The pages of initiatives tell the address of
 * the application; without such a page the function returns null.
 */
export async function frozenLinks(files: SnapshotFiles): Promise<(path: string) => string | null> {
  for (const [id, page] of await initiativePages([files])) {
    const own = `/initiatives/${id}`;
    if (page.endsWith(own)) return (path) => page.slice(0, -own.length) + path;
  }
  return () => null;
}
