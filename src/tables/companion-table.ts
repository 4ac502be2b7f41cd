/** How a companion table is declared: by the record of the read API, or by its fields. */
import type { ApiRecord, Counterpart, RecordColumn } from './record.ts';
import {
  type Agreement,
  type Column,
  column,
  type Declared,
  type DeclaredKind,
  defineTable,
} from './table.ts';

/** The kind of a field, and its SQL if that is not the column of the same name. */
type Field = DeclaredKind | readonly [kind: DeclaredKind, from: string];

type FieldsOf<Fields extends Record<string, Field>> = {
  [Name in keyof Fields & string]: Declared<
    Name,
    Fields[Name] extends readonly [infer Kind extends DeclaredKind, string]
      ? Kind
      : Fields[Name] & DeclaredKind
  >;
}[keyof Fields & string];

/** Rows of a row group. A page reads a whole row group: with more rows a page takes longer, with fewer the footer grows. */
const GROUP_ROWS = 8_192;

/** Fields that differ in most rows, so that a dictionary of their values would save nothing. */
const DIFFERS = new Set(['id', 'created_at', 'updated_at', 'amount_cents', 'usd_amount_cents', 'source_ref']);

/** A companion table with these fields. */
export function define<const Fields extends Record<string, Field>>(
  name: string,
  key: readonly string[],
  from: string | null,
  fields: Fields,
) {
  return defineTable({ ...headOf(name, key), from, columns: columnsOf(fields) });
}

function headOf(name: string, key: readonly string[]) {
  return {
    name,
    grain: 'one row per row of the API',
    description: `The rows behind \`snapshot_id\` of the read API: ${name}.`,
    key,
    group_rows: GROUP_ROWS,
  };
}

function columnsOf<const Fields extends Record<string, Field>>(fields: Fields): readonly FieldsOf<Fields>[] {
  return Object.entries(fields).map(([name, declared]) => {
    const [kind, from = name] = typeof declared === 'string' ? [declared] : declared;
    return stored(column(name, kind, '', { from })) as FieldsOf<Fields>; // each of its own name
  });
}

/** A column as a companion stores it; JSON as text. */
function stored<Own extends Column>(own: Own): Own {
  const { name, kind, from } = own;
  return {
    ...own,
    description: `The field ${name} of the read API.`,
    from: kind === 'json' ? `to_json(${from})::text` : from,
    encoding: DIFFERS.has(name) || kind === 'text' ? 'plain' : 'dictionary',
  };
}

/** The companion of a record, in the order of its list; `later` are columns that came after the first release. */
export function listOf<Of extends ApiRecord, const Later extends Record<string, Field>>(
  record: Of,
  later: Later,
) {
  const { name, view, frozen, counterpart } = record;
  const own: readonly RecordColumn<Of>[] = record.columns;
  const added = columnsOf(later);
  return defineTable({
    ...headOf(`api_${name}`, ['updated_at', 'id']),
    from: `${view} where account_id = :account_id${frozen === undefined ? '' : ` and ${frozen}`} order by updated_at, id`,
    columns: [...own.map(stored), ...added],
    ...(counterpart && { agreement: agreementOf(own, counterpart) }),
  });
}

/** The columns that a record and its counterpart both have, as SQL of the same type. */
function agreementOf(own: readonly Column[], { table, rows = 'true', empty = {} }: Counterpart): Agreement {
  const pairs = own.flatMap(({ name, kind }) => {
    const its = name === 'id' ? undefined : table.columns.find((each) => each.name === name);
    if (its === undefined) return [];
    const day = kind === 'date' && its.kind === 'timestamp' ? `utc_day(${name})` : name;
    const filled = (sql: string) => (empty[name] === undefined ? sql : `coalesce(${sql}, ${empty[name]})`);
    return [{ own: filled(name), its: filled(day) }];
  });
  const cells = (side: 'own' | 'its') => `(${pairs.map((pair) => pair[side]).join(', ')})`;
  return { table: table.name, id: table.key.join(), rows, own: cells('own'), its: cells('its') };
}
