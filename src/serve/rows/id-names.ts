/** The titles and names of what a snapshot's rows refer to, for pages that show their ids. */
import type { Context } from 'hono';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { isCrossfootError } from '../../errors.ts';
import { errorFields } from '../../log.ts';
import { storedTableNamed } from '../../snapshot/format/manifest.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { cellAt, type RowsOf } from '../../snapshot/read/rows.ts';
import type { Names, Sheet } from '../../snapshot/read/sheet-cells.ts';
import { readVendorNames } from '../../snapshot/read/vendor-names.ts';
import { type Reporting, tableNamed } from '../../tables/all.ts';
import type { Column } from '../../tables/table.ts';
import { COMPANIONS } from '../../tables/companions.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { SHARE_SCALE } from '../frame/shown-values.ts';
import type { ReportingParts } from '../reporting/chosen-snapshot.ts';
import { isShare, shownColumn } from './row-cells.ts';
import { asksForSpreadsheet } from './row-query.ts';

/** A name beside its characters. */
const NAME_BYTES = 64;

type NamesById = ReadonlyMap<bigint, string>;

/** The names of a snapshot. */
export type IdNamesOf = (c: Context<ServeEnv>, snapshot: ReadableSnapshot) => Promise<Names>;

/** Reads names, cached by the digest of their file. Empty if the file cannot be read now: pages then show ids. */
export function createIdNames({ snapshots }: Pick<ReportingParts, 'snapshots'>): IdNamesOf {
  const cache = new Cache<string, NamesById>({
    max_bytes: MEMORY_BUDGET.id_names,
    bytesOf: (names) => names.values().reduce((sum, name) => sum + NAME_BYTES + 2 * name.length, NAME_BYTES),
  });
  return async (c, snapshot) => {
    const { account_id } = c.var.principal;
    const { snapshot_id } = snapshot;
    const read = async (file: string, work: () => Promise<NamesById>): Promise<NamesById> => {
      const stored = storedTableNamed(snapshot, file);
      if (stored === undefined) return new Map();
      try {
        return await cache.get(`${account_id} ${file} ${stored.sha256}`, work);
      } catch (error) {
        if (!isCrossfootError(error)) throw error;
        c.var.logger.warn('titles.unread', { snapshot: snapshot_id, ...errorFields(error) });
        return new Map();
      }
    };
    const open = <Name extends keyof Reporting>(name: Name) =>
      snapshots.openRows(account_id, snapshot_id, tableNamed(name));
    const { vendors } = COMPANIONS;
    const isNamed = storedTableNamed(snapshot, vendors.name) !== undefined;
    return {
      initiatives: await read('initiatives', async () => readTitles(await open('initiatives'))),
      vendors: await read(isNamed ? vendors.name : 'costs', async () =>
        readVendorNames({
          names: isNamed ? await snapshots.openRows(account_id, snapshot_id, vendors) : null,
          costs: () => open('costs'),
        }),
      ),
    };
  };
}

/** The heads and names of a CSV for people; undefined if the address asks for one for programs. */
export async function askedSheet(
  c: Context<ServeEnv>,
  { idNamesOf }: { readonly idNamesOf: IdNamesOf },
  snapshot: ReadableSnapshot,
): Promise<Sheet | undefined> {
  if (!asksForSpreadsheet(new URL(c.req.url).searchParams)) return undefined;
  return { headOf: sheetHead, names: await idNamesOf(c, snapshot) };
}

/** The head of a column of a sheet. A ratio says its scale: the page shows 16.2 %, the sheet the unrounded 0.162. */
function sheetHead(column: Column): string {
  return isShare(column) ? `${shownColumn(column)} (${SHARE_SCALE})` : shownColumn(column);
}

async function readTitles(rows: RowsOf<Reporting['initiatives']>): Promise<NamesById> {
  const titles = new Map<bigint, string>();
  for await (const { columns } of rows.read(['initiative_id', 'title'])) {
    const [ids, names] = columns;
    for (const [row, id] of ids.entries()) titles.set(id, cellAt(names, row));
  }
  return titles;
}
