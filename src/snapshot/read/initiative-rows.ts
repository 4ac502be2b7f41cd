/** Finds the rows of an initiative in a table in the order of initiatives, by the least and the greatest id of its row groups. */
import type { RowRange, TableRows } from './rows.ts';

/** For a read of the rows of some initiatives. */
export function whereInitiative(wanted: (id: bigint) => boolean): NonNullable<RowRange['where']> {
  return { initiative_id: (id) => typeof id === 'bigint' && wanted(id) };
}

/** The row groups that may have a row of one of these initiatives, by their least and greatest id. */
export function groupsOf({ groups }: Pick<TableRows, 'groups'>, ids: readonly bigint[]): TableRows['groups'] {
  return groups.filter(({ least, greatest }) => {
    const [first, last] = [least('initiative_id'), greatest('initiative_id')];
    return ids.some((id) => (first === null || first <= id) && (last === null || last >= id));
  });
}

/** Where the rows of an initiative are in a table in the order of initiatives; null: those of the portfolio, which come first. */
export async function rangeOf(
  rows: TableRows,
  id: bigint | null,
): Promise<{ readonly from: number; readonly to: number }> {
  const groups = id === null ? rows.groups : groupsOf(rows, [id]);
  let [from, to] = [0, 0];
  for (const group of groups) {
    for await (const { first, columns } of rows.read(['initiative_id'], {
      from: group.first,
      to: group.first + group.rows,
    })) {
      const ids = columns[0] ?? [];
      const [begin, last] = [ids.indexOf(id), ids.lastIndexOf(id)];
      if (begin < 0 && (to > 0 || id === null)) return { from, to };
      if (begin < 0) continue;
      if (to === 0) from = first + begin;
      to = first + last + 1;
    }
  }
  return { from, to };
}
