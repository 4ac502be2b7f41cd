/** The titles of a snapshot's initiatives, for pages that show their ids. */
import type { Context } from 'hono';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { isCrossfootError } from '../../errors.ts';
import { errorFields } from '../../log.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { cellAt, type RowsOf } from '../../snapshot/read/rows.ts';
import type { Sheet } from '../../snapshot/read/sheet-cells.ts';
import { type Reporting, tableNamed } from '../../tables/all.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import type { ReportingParts } from '../reporting/chosen-snapshot.ts';

import { shownColumn, type Titles } from './row-cells.ts';
import { asksForSpreadsheet } from './row-query.ts';

/** A title beside its characters. */
const TITLE_BYTES = 64;

/** The titles of a snapshot's initiatives. */
export type TitlesOf = (c: Context<ServeEnv>, snapshot: ReadableSnapshot) => Promise<Titles>;

/** Reads titles, cached by the digest of their file. Empty if the file cannot be read now: pages then show ids. */
export function createTitles({ snapshots }: Pick<ReportingParts, 'snapshots'>): TitlesOf {
  const cache = new Cache<string, Titles>({
    max_bytes: MEMORY_BUDGET.titles,
    bytesOf: (titles) =>
      titles.values().reduce((sum, title) => sum + TITLE_BYTES + 2 * title.length, TITLE_BYTES),
  });
  return async (c, { snapshot_id, tables }) => {
    const stored = tables.find(({ name }) => name === 'initiatives');
    if (stored === undefined) return new Map();
    try {
      return await cache.get(stored.sha256, async () =>
        readTitles(
          await snapshots.openRows(c.var.principal.account_id, snapshot_id, tableNamed('initiatives')),
        ),
      );
    } catch (error) {
      if (!isCrossfootError(error)) throw error;
      c.var.logger.warn('titles.unread', { snapshot: snapshot_id, ...errorFields(error) });
      return new Map();
    }
  };
}

/** The heads and titles of a CSV for people; undefined if the address asks for one for programs. */
export async function askedSheet(
  c: Context<ServeEnv>,
  { titlesOf }: { readonly titlesOf: TitlesOf },
  snapshot: ReadableSnapshot,
): Promise<Sheet | undefined> {
  if (!asksForSpreadsheet(new URL(c.req.url).searchParams)) return undefined;
  return { headOf: shownColumn, titles: await titlesOf(c, snapshot) };
}

async function readTitles(rows: RowsOf<Reporting['initiatives']>): Promise<Titles> {
  const titles = new Map<bigint, string>();
  for await (const { columns } of rows.read(['initiative_id', 'title'])) {
    const [ids, names] = columns;
    for (const [row, id] of ids.entries()) titles.set(id, cellAt(names, row));
  }
  return titles;
}
