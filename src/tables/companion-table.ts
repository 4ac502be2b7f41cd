/** How a companion table is declared: its fields, and the order of a list of the read API. */
import { column, type Declared, type DeclaredKind, defineTable } from './table.ts';

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
  return defineTable({
    name,
    grain: 'one row per row of the API',
    description: `The rows behind \`snapshot_id\` of the read API: ${name}.`,
    key,
    from,
    group_rows: GROUP_ROWS,
    columns: Object.entries(fields).map(([field, declared]) => {
      const [kind, sql = field] = typeof declared === 'string' ? [declared] : declared;
      return column(field, kind, `The field ${field} of the read API.`, {
        from: sql,
        repeats: !DIFFERS.has(field) && !kind.startsWith('text'),
      }) as FieldsOf<Fields>; // each of its own name
    }),
  });
}

const TIMES = { created_at: 'timestamp', updated_at: 'timestamp' } as const;

/** The companion of a list of the read API; `of` selects the account's rows without those of samples. */
export function list<const Fields extends Record<string, Field>>(
  resource: string,
  of: string,
  fields: Fields,
) {
  return inOrder(resource, of, { id: 'id', ...fields, ...TIMES });
}

/** The same with columns that were added later: they stand at the end. */
export function listWith<
  const Fields extends Record<string, Field>,
  const Later extends Record<string, Field>,
>(resource: string, of: string, fields: Fields, later: Later) {
  return inOrder(resource, of, { id: 'id', ...fields, ...TIMES, ...later });
}

function inOrder<const Fields extends Record<string, Field>>(resource: string, of: string, fields: Fields) {
  return define(`api_${resource}`, ['updated_at', 'id'], `${of} order by updated_at, id`, fields);
}
