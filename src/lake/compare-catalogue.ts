/** Compares a saved catalogue with a derived catalogue, row by row. */
import { CATALOGUE_TABLES, type CatalogueTable } from './catalogue-tables.ts';
import type { TextRow, TextRows } from './read-catalogue.ts';

export interface CatalogueOffence {
  readonly subject: CatalogueTable;
  /** The ids of the row. */
  readonly place: string;
  readonly expected: string;
  readonly found: string;
}

/** Enough to see the cause. */
const MAX_OFFENCES = 20;

/** The differences of one table. */
export function differences(
  table: CatalogueTable,
  derived: TextRows,
  saved: TextRows,
): readonly CatalogueOffence[] {
  const [expected, found] = [derived, saved].map((rows) => byIds(rows.get(table) ?? []));
  const places = new Set([...(expected?.keys() ?? []), ...(found?.keys() ?? [])]);
  return [...places]
    .flatMap((place) => {
      const [wanted, is] = [expected?.get(place), found?.get(place)];
      if (wanted === undefined || is === undefined) {
        return [{ subject: table, place, expected: presence(wanted), found: presence(is) }];
      }
      const columns = CATALOGUE_TABLES.get(table) ?? [];
      return columns.flatMap(({ name }) =>
        wanted[name] === is[name]
          ? []
          : [{ subject: table, place, expected: said(name, wanted), found: said(name, is) }],
      );
    })
    .slice(0, MAX_OFFENCES);
}

function presence(row: TextRow | undefined): string {
  return row === undefined ? 'no row' : 'a row';
}

function said(column: string, row: TextRow): string {
  return `${column} ${row[column] ?? 'empty'}`;
}

/** Two rows of the same ids are told apart by their number. */
function byIds(rows: readonly TextRow[]): ReadonlyMap<string, TextRow> {
  const result = new Map<string, TextRow>();
  for (const row of rows) {
    const ids = Object.entries(row).filter(
      ([name, value]) =>
        value !== null && (name.endsWith('_id') || name === 'begin_snapshot' || name === 'key'),
    );
    const place = ids.map(([name, value]) => `${name} ${value}`).join(', ');
    let number = 1;
    while (result.has(numbered(place, number))) number += 1;
    result.set(numbered(place, number), row);
  }
  return result;
}

function numbered(place: string, number: number): string {
  return number === 1 ? place : `${place}, again (${number})`;
}
