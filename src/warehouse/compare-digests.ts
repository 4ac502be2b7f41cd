/** Generates the query that compares the tables of a warehouse with the digests of a snapshot. */
import { tableNamed } from '../tables/all.ts';
import { qualifiedName } from '../tables/create-table.ts';
import { type Dialect, nameIn, textIn } from '../tables/dialects.ts';
import type { Table } from '../tables/table.ts';
import { type Fact, MEASURES, selected, type SnapshotDigests, type TableDigest } from './digests.ts';
import { runNote } from './load-tables.ts';

/**
 * The query over loaded tables. It returns one row for each table that differs from the snapshot, with what was found and
 * expected, and no row if all are equal. It reads each table once.
 */
export function compareSql(digests: SnapshotDigests, dialect: Dialect, schema?: string): string {
  const parts = digests.tables.map((digest) => {
    const table = tableNamed(digest.name);
    // Not expected: this program is not older than the program that built the snapshot, and tables are never removed.
    if (table === undefined) throw new RangeError(`${digest.name} is no table`);
    return compareTable(digests.snapshot_id, digest, table, dialect, schema);
  });
  return `-- Whether the tables hold what snapshot ${digests.snapshot_id} holds: no row when they do.
${runNote(dialect)}
select table_name, difference
from (
${parts.join('  union all\n')}) as compared
where difference <> ''
order by table_name;
`;
}

interface ExpectedFact extends Fact {
  readonly value: string;
}

function compareTable(
  snapshot_id: string,
  digest: TableDigest,
  table: Table,
  dialect: Dialect,
  schema?: string,
): string {
  const facts = expectedFacts(digest);
  const cases = facts.map(({ column, measure, value }, index) => {
    const [what, expected] = [column === null ? 'rows' : `${column} ${measure}`, textIn(dialect, value)];
    const difference = `${textIn(dialect, `${what} "`)} || fact_${index} || ${textIn(dialect, `", not "${value}"; `)}`;
    return `    case when fact_${index} = ${expected} then '' else ${difference} end`;
  });
  return `  select ${textIn(dialect, table.name)} as table_name,
${cases.join(' ||\n')} as difference
  from (
    select ${selected(dialect, table, facts).replaceAll(', coalesce', ',\n      coalesce')}
    from ${qualifiedName(table, dialect, schema)}
    where ${nameIn(dialect, 'snapshot_id')} = ${textIn(dialect, snapshot_id)}
  ) as facts
`;
}

/** The facts that the digest has; an older snapshot may have fewer facts than this program computes. */
function expectedFacts({ rows, columns }: TableDigest): readonly ExpectedFact[] {
  return [
    { column: null, measure: 'rows', value: rows },
    ...columns.flatMap((column) =>
      MEASURES.flatMap((measure) => {
        const value = column[measure];
        return value === undefined ? [] : [{ column: column.name, measure, value: value ?? '' }];
      }),
    ),
  ];
}
