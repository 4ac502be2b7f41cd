/** Trying every column of a row in turn: a rule that guards a row must name none of them. */
import type { ClientBase } from 'pg';

// Another valid value of each type; the columns of enumerated text and dates are the caller's.
const OTHER: Readonly<Record<string, string>> = {
  bigint: 'coalesce(%, 0) + 1',
  integer: 'coalesce(%, 0) + 1',
  text: "coalesce(%, '') || 'x'",
  boolean: 'not %',
  date: "coalesce(%, '2026-01-01') + 1",
  'timestamp with time zone': "% + interval '1 second'",
  'double precision': 'coalesce(%, 1) + 1',
};
// These two are written together.
const PAIR: Readonly<Record<string, string>> = {
  load_source: "'file', load_ref = 'other'",
  load_ref: "'other', load_source = 'file'",
};

export interface GuardedRow {
  readonly table: string;
  readonly id: bigint;
  /** Expressions for columns whose type alone does not tell another valid value. */
  readonly other: Readonly<Record<string, string>>;
  /** Columns that the ledger keeps by itself, whatever a writer says. */
  readonly own: readonly string[];
  /** How a refusal reads. */
  readonly refusal: RegExp;
}

/** Those columns of the row that `db` can change, with what was said instead of the refusal; each try in a `write`. */
export async function changeableColumns(
  db: ClientBase,
  write: (work: () => Promise<unknown>) => Promise<unknown>,
  { table, id, other, own, refusal }: GuardedRow,
): Promise<string[]> {
  const { rows } = await db.query<{ name: string; type: string }>(
    `select attname as name, format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  const free: string[] = [];
  for (const { name, type } of rows.filter((column) => !own.includes(column.name))) {
    const value = other[name] ?? PAIR[name] ?? (OTHER[type] ?? 'no rule').replace('%', name);
    const said = await write(async () => {
      await db.query('set constraints all deferred');
      await db.query(`update ${table} set ${name} = ${value} where id = $1`, [id]);
    }).then(
      () => 'nothing',
      (error: Error) => error.message,
    );
    if (!refusal.test(said)) free.push(`${name}: ${said}`);
  }
  return free;
}
